/* SPDX-License-Identifier: GPL-2.0-or-later */
/* part of output: the formats for programs, and the fields that they write. */
#include "output/output.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/strbuf.h"
#include "base/suggestion.h"
#include "model/fact_list.h"
#include "model/fold_sum.h"

const char *const field_ids[N_FIELDS] = {
	[FIELD_TIMESTAMP] = "timestamp",
	[FIELD_MONO] = "mono_s",
	[FIELD_INTERVAL] = "interval_s",
	[FIELD_HOST] = "host",
	[FIELD_SCREEN] = "screen",
	[FIELD_KIND] = "kind",
	[FIELD_PID] = "pid",
	[FIELD_TID] = "tid",
	[FIELD_NAME] = "name",
	[FIELD_USER] = "user",
	[FIELD_MEMBERS] = "members",
	[FIELD_COMMAND] = "command",
	[FIELD_EXIT] = "exit",
	[FIELD_LIVED] = "lived_s",
	[FIELD_QUALITY] = "quality",
};

static void add(struct fields *f, enum field field, size_t column)
{
	f->v = xgrow(f->v, &f->cap, f->n + 1, sizeof *f->v);
	f->v[f->n++] = (struct field_ref){field, column};
}

/* Returns whether the field is written by default. */
static bool is_default(enum field field, const struct screen *screen, const struct view *view)
{
	bool groups = view->group != GROUP_PROCESS;

	switch (field) {
	case FIELD_MONO:
	case FIELD_HOST:
	case FIELD_SCREEN:
		return false;
	case FIELD_PID:
	case FIELD_TID:
		return !groups;
	case FIELD_MEMBERS:
		return groups;
	case FIELD_COMMAND:
		return view->show_cmdline && !groups;
	case FIELD_EXIT:
	case FIELD_LIVED:
		return view->children && !view->with_ended && !groups;
	case FIELD_USER:
		for (size_t i = 0; i < screen->n_columns; i++)
			if (!strcmp(screen->column[i].id, field_ids[field]))
				return false;
		return true;
	default:
		return true;
	}
}

static void add_defaults(struct fields *f, const struct screen *screen, const struct view *view)
{
	for (int field = 0; field < N_FIELDS; field++) {
		for (size_t i = 0; field == FIELD_COLUMN && i < screen->n_columns; i++)
			add(f, FIELD_COLUMN, i);
		if (field != FIELD_COLUMN && is_default((enum field)field, screen, view))
			add(f, (enum field)field, 0);
	}
}

static bool is_id(const char *id, const char *text, size_t n)
{
	return id && strlen(id) == n && !memcmp(id, text, n);
}

static bool find(struct field_ref *out, const struct screen *screen, const char *text, size_t n)
{
	for (size_t i = 0; i < screen->n_columns; i++)
		if (is_id(screen->column[i].id, text, n)) {
			*out = (struct field_ref){FIELD_COLUMN, i};
			return true;
		}
	for (int field = 0; field < N_FIELDS; field++)
		if (is_id(field_ids[field], text, n)) {
			*out = (struct field_ref){(enum field)field, 0};
			return true;
		}
	return false;
}

static int refuse(const struct screen *screen, const char *text, size_t n, struct err *err)
{
	struct suggestion near;
	struct strbuf list;
	int ret;

	strbuf_init(&list);
	suggestion_begin_part(&near, text, n);
	for (int field = 0; field < N_FIELDS; field++)
		if (field_ids[field]) {
			suggestion_offer(&near, field_ids[field]);
			strbuf_addf(&list, "%s, ", field_ids[field]);
		}
	for (size_t i = 0; i < screen->n_columns; i++) {
		suggestion_offer(&near, screen->column[i].id);
		strbuf_addf(&list, "%s%s", i ? ", " : "", screen->column[i].id);
	}
	ret = err_set(err, EINVAL,
		      "there is no field '%.*s'%s (--fields) in the screen '%s': it has %s", (int)n,
		      text, suggestion_text(&near), screen->name, list.text);
	strbuf_done(&list);
	return ret;
}

static bool has(const struct fields *f, struct field_ref ref)
{
	for (size_t i = 0; i < f->n; i++)
		if (f->v[i].field == ref.field && f->v[i].column == ref.column)
			return true;
	return false;
}

bool fields_have(const struct fields *f, enum field field)
{
	return has(f, (struct field_ref){field, 0});
}

int fields_find(struct fields *out, const char *list, bool partly, const struct screen *screen,
		const struct view *view, struct err *err)
{
	int ret = 0;
	size_t n;

	*out = (struct fields){.v = NULL};
	if (!list)
		add_defaults(out, screen, view);
	for (const char *text = list; text && !ret; text = text[n] ? text + n + 1 : NULL) {
		struct field_ref ref;

		n = strcspn(text, ",");
		if (!find(&ref, screen, text, n))
			ret = partly ? 0 : refuse(screen, text, n, err);
		else if (has(out, ref))
			ret = err_set(err, EINVAL, "the field '%.*s' (--fields) is named twice",
				      (int)n, text);
		else
			add(out, ref.field, ref.column);
	}
	if (ret)
		fields_done(out);
	return ret;
}

int fields_check(const char *list, unsigned lacks, const struct screen *screen,
		 const struct view *view, struct err *err)
{
	struct fields fields;
	int ret = list ? fields_find(&fields, list, false, screen, view, err) : 0;

	for (size_t i = 0; list && !ret && i < fields.n; i++) {
		enum field field = fields.v[i].field;

		if (1u << field & lacks)
			ret = err_set(
				err, EINVAL,
				"this format has no field '%s' (--fields): --format csv has it",
				field_ids[field]);
	}
	if (list && fields.n)
		fields_done(&fields);
	return ret;
}

void fields_done(struct fields *f)
{
	free(f->v);
	*f = (struct fields){.v = NULL};
}

/* Returns the text of FIELD_KIND: of a group, the name of its key; else the name of the kind, or of
 * its parts ("thread") if these are the rows. */
static const char *kind_text(const struct frame *frame, const struct frame_row *row)
{
	const struct kind *kind = row->task->kind;

	if (kind->counts_members)
		return group_key_table[frame->view->group].name;
	return frame->sample->threads && kind->part ? kind->part : kind->name;
}

/* Returns the user; NULL: unknown, or several users in a group. */
static const char *user_text(const struct task *t)
{
	bool none = !t->user || !*t->user ||
		    (t->kind->counts_members && !strcmp(t->user, FOLD_SEVERAL));

	return none ? NULL : t->user;
}

/* Returns the name; the id for kinds that have only a number. */
static const char *name_text(const struct task *t, char buf[FIELD_TEXT_MAX])
{
	if (*t->name || t->kind->id_is_text || t->kind->pid)
		return t->name;
	snprintf(buf, FIELD_TEXT_MAX, "%" PRIu64, t->id);
	return buf;
}

static struct report_scalar count_or_absent(uint64_t count, bool known)
{
	return known ? scalar_value(value_count(count))
		     : (struct report_scalar){.kind = REPORT_ABSENT};
}

/* Returns the exit status or the lifetime in seconds; absent: the task is alive, or both are
 * unknown. */
static struct report_scalar end_scalar(enum field field, const struct frame_row *row)
{
	const struct task *t = row->task;
	struct value v;

	if (!t->dead || t->kind->counts_members ||
	    (!fact_in(t->known, FACT_EXIT) && !fact_in(t->known, FACT_LIFE_NS)))
		return (struct report_scalar){.kind = REPORT_ABSENT};
	v = delta_fact_now(row->from, field == FIELD_LIVED ? FACT_LIFE_NS : FACT_EXIT);
	return scalar_value(field == FIELD_LIVED && value_known(v) ? value_exact(v.number / 1e9)
								   : v);
}

/* Returns the cell of a column. Rounds estimated counts, as counts are integers. */
static struct report_scalar column_scalar(const struct frame *frame, const struct frame_row *row,
					  size_t column)
{
	const struct column *c = &frame->screen->column[column];
	struct value v = frame_value(frame, row, column);

	if (screen_column_is_text(c) && value_known(v))
		return scalar_text(frame_text(frame, row, column));
	if (c->unit == UNIT_COUNT)
		v.number = round(v.number);
	return scalar_value(v);
}

struct report_scalar field_scalar(struct field_ref ref, const struct frame *frame,
				  const struct frame_row *row, char buf[FIELD_TEXT_MAX])
{
	const struct task *t = row->task;

	switch (ref.field) {
	case FIELD_MONO:
		return scalar_value(value_exact((double)frame->sample->mono_ns / 1e9));
	case FIELD_INTERVAL:
		return scalar_value(value_exact((double)frame->interval_ns / 1e9));
	case FIELD_HOST:
		return frame->sample->machine ? scalar_text(frame->sample->machine->host)
					      : count_or_absent(0, false);
	case FIELD_SCREEN:
		return scalar_text(frame->screen->name);
	case FIELD_KIND:
		return scalar_text(kind_text(frame, row));
	case FIELD_PID:
		return count_or_absent(t->kind->pid ? (uint64_t)t->kind->pid(t) : 0, t->kind->pid);
	case FIELD_TID:
		return count_or_absent(t->id, t->kind->pid && frame->sample->threads);
	case FIELD_NAME:
		return scalar_text(name_text(t, buf));
	case FIELD_USER:
		return scalar_text(user_text(t));
	case FIELD_MEMBERS:
		return count_or_absent((uint64_t)row->from->n_members, t->kind->counts_members);
	case FIELD_COMMAND:
		return t->kind->counts_members ? count_or_absent(0, false)
					       : scalar_text(row->label);
	case FIELD_COLUMN:
		return column_scalar(frame, row, ref.column);
	case FIELD_EXIT:
	case FIELD_LIVED:
		return end_scalar(ref.field, row);
	default:
		return count_or_absent(0, false);
	}
}
