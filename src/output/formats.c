/* SPDX-License-Identifier: GPL-2.0-or-later */
/* part of output: the formats for programs, CSV and JSON, and the fields that they write. */
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/json_csv.h"
#include "base/mem.h"
#include "base/strbuf.h"
#include "base/suggestion.h"
#include "model/fact_list.h"
#include "model/fold_sum.h"
#include "output/output.h"
#include "screen/column.h"

const char *const field_ids[N_FIELDS] = {
	[FIELD_TIMESTAMP] = "timestamp",
	[FIELD_MONO] = "mono_s",
	[FIELD_INTERVAL] = "interval_s",
	[FIELD_HOST] = "host",
	[FIELD_SCREEN] = "screen",
	[FIELD_VALUE_KIND] = "value_kind",
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
	case FIELD_VALUE_KIND:
		return view_shown(view).values != VALUES_INTERVAL;
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
	case FIELD_VALUE_KIND:
		return scalar_text(values_name[view_shown(frame->view).values]);
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

/* ---- CSV ----
 *
 * Comma-separated values (RFC 4180, except that lines end with LF).
 *
 *   timestamp,interval_s,kind,pid,tid,name,user,cpu,ipc,quality
 *   2026-11-22T05:20:42.123+00:00,1.000123,process,4711,,bash,alice,25,1.5,
 *   2026-11-22T05:20:42.123+00:00,1.000123,process,99,,"a, b",root,0.5,,cpu:stale ipc:denied
 *
 * One header, then a line for each row of each refresh. An unknown value is an empty field; the
 * last field names the columns that are not exact, with their qualities. Control characters and
 * invalid UTF-8 bytes become U+FFFD, so a row is always one line.
 *
 * Beside the live screen, a key may switch to another screen: each field of the header then gets
 * the column of that screen with the same id and the same expression, and is empty if there is
 * none.
 */

#define NO_COLUMN SIZE_MAX

/* A column of the header, copied when the header was written. */
struct heading {
	char *id, *text;
};

struct csv {
	struct strbuf buf, time, quality;
	struct fields fields;
	struct heading *heading; /* [fields.n]; set for columns only */
	/* The screen that the fields' columns refer to; NULL: no header yet. */
	const struct screen *screen;
	size_t n_columns;
	enum values values, first_values; /* of the last frame, and of the header */
};

static int csv_open(struct sink *sink, struct err *err)
{
	struct csv *csv = xcalloc(1, sizeof *csv);

	(void)err;
	strbuf_init(&csv->buf);
	strbuf_init(&csv->time);
	strbuf_init(&csv->quality);
	sink->state = csv;
	return 0;
}

/* Appends "cpu:stale ipc:denied" for the columns written. */
static void add_csv_qualities(struct csv *csv, const struct frame *frame,
			      const struct frame_row *row)
{
	struct strbuf *out = &csv->quality;

	strbuf_reset(out);
	for (size_t i = 0; i < csv->fields.n; i++) {
		const struct field_ref *ref = &csv->fields.v[i];
		enum quality quality;

		if (ref->field != FIELD_COLUMN || ref->column == NO_COLUMN)
			continue;
		quality = frame_value(frame, row, ref->column).quality;
		if (quality != QUALITY_EXACT)
			strbuf_addf(out, "%s%s:%s", out->len ? " " : "", csv->heading[i].id,
				    quality_table[quality].name);
	}
	csv_add_text(&csv->buf, out->text);
}

static void add_csv_field(struct csv *csv, struct field_ref ref, const struct frame *frame,
			  const struct frame_row *row)
{
	char buf[FIELD_TEXT_MAX];
	struct report_scalar s;

	if (ref.field == FIELD_TIMESTAMP) {
		strbuf_addstr(&csv->buf, csv->time.text);
	} else if (ref.field == FIELD_QUALITY) {
		add_csv_qualities(csv, frame, row);
	} else if (ref.field != FIELD_COLUMN || ref.column != NO_COLUMN) {
		s = field_scalar(ref, frame, row, buf);
		scalar_add_csv(&csv->buf, &s, 0);
	}
}

static void add_csv_row(struct csv *csv, const struct frame *frame, const struct frame_row *row)
{
	for (size_t i = 0; i < csv->fields.n; i++) {
		strbuf_addstr(&csv->buf, i ? "," : "");
		add_csv_field(csv, csv->fields.v[i], frame, row);
	}
	strbuf_addch(&csv->buf, '\n');
}

static void set_screen(struct csv *csv, const struct screen *screen)
{
	csv->screen = screen;
	csv->n_columns = screen->n_columns;
}

static void add_header(struct strbuf *out, const struct fields *fields, const struct screen *screen)
{
	for (size_t i = 0; i < fields->n; i++) {
		const struct field_ref *ref = &fields->v[i];

		strbuf_addf(out, "%s%s", i ? "," : "",
			    ref->field == FIELD_COLUMN ? screen->column[ref->column].id
						       : field_ids[ref->field]);
	}
	strbuf_addch(out, '\n');
}

static int csv_header(const struct sink *sink, const struct screen *screen, const struct view *view,
		      struct strbuf *out, struct err *err)
{
	struct fields fields;
	int ret = fields_find(&fields, sink->fields, false, screen, view, err);

	if (ret)
		return ret;
	add_header(out, &fields, screen);
	fields_done(&fields);
	return 0;
}

static int begin(struct csv *csv, const struct sink *sink, const struct frame *frame,
		 struct err *err)
{
	const struct screen *screen = frame->screen;
	int ret = fields_find(&csv->fields, sink->fields, false, screen, frame->view, err);

	if (ret)
		return ret;
	set_screen(csv, screen);
	csv->values = csv->first_values = view_shown(frame->view).values;
	csv->heading = xcalloc(csv->fields.n, sizeof *csv->heading);
	for (size_t i = 0; i < csv->fields.n; i++) {
		const struct field_ref *ref = &csv->fields.v[i];
		const struct column *column = &screen->column[ref->column];

		if (ref->field == FIELD_COLUMN)
			csv->heading[i] =
				(struct heading){xstrdup(column->id), xstrdup(column->text)};
	}
	/* A file that is appended to has a header already. */
	if (!sink->dest.filled)
		add_header(&csv->buf, &csv->fields, screen);
	return 0;
}

/* Returns the column of another screen with the same id and the same expression; NO_COLUMN:
 * none. */
static size_t find_column(const struct screen *screen, const struct heading *heading)
{
	for (size_t i = 0; i < screen->n_columns; i++)
		if (!strcmp(screen->column[i].id, heading->id) &&
		    !strcmp(screen->column[i].text, heading->text))
			return i;
	return NO_COLUMN;
}

/* Fits the fields to a frame. Beside the live screen, keys may choose another screen or values of
 * another kind: columns that would have another meaning than at the header are left empty. */
static void use_frame(struct csv *csv, const struct frame *frame)
{
	const struct screen *screen = frame->screen;
	const enum values values = view_shown(frame->view).values;
	const bool told = fields_have(&csv->fields, FIELD_VALUE_KIND);

	if (csv->screen == screen && csv->n_columns == screen->n_columns && csv->values == values)
		return;
	set_screen(csv, screen);
	csv->values = values;
	for (size_t i = 0; i < csv->fields.n; i++) {
		struct field_ref *ref = &csv->fields.v[i];

		if (ref->field != FIELD_COLUMN)
			continue;
		ref->column = find_column(screen, &csv->heading[i]);
		if (!told && values != csv->first_values && ref->column != NO_COLUMN &&
		    column_has_values(&screen->column[ref->column]))
			ref->column = NO_COLUMN;
	}
}

static int csv_frame(struct sink *sink, const struct frame *frame, struct err *err)
{
	struct csv *csv = sink->state;

	strbuf_reset(&csv->buf);
	if (!csv->screen && begin(csv, sink, frame, err))
		return -EINVAL;
	use_frame(csv, frame);
	strbuf_reset(&csv->time);
	clock_add_time(&csv->time, frame->wall_ns);
	for (size_t i = 0; i < frame->n; i++)
		add_csv_row(csv, frame, &frame->row[i]);
	return dest_write(&sink->dest, csv->buf.text, csv->buf.len, err);
}

static int csv_close(struct sink *sink, struct err *err)
{
	struct csv *csv = sink->state;

	(void)err;
	for (size_t i = 0; csv->heading && i < csv->fields.n; i++) {
		free(csv->heading[i].id);
		free(csv->heading[i].text);
	}
	free(csv->heading);
	fields_done(&csv->fields);
	strbuf_done(&csv->quality);
	strbuf_done(&csv->time);
	strbuf_done(&csv->buf);
	free(csv);
	sink->state = NULL;
	return 0;
}

const struct sink_ops sink_csv = {
	.name = "csv",
	.help = "a line of values for each row, with commas between",
	.open = csv_open,
	.header = csv_header,
	.frame = csv_frame,
	.close = csv_close,
};

/* ---- JSON ----
 *
 * JSON Lines, an object for each refresh, ended task and summary; doc/output.md has the schema.
 *
 *   {"type":"refresh","schema":1,"time":"2026-11-22T05:20:42.123+00:00","mono_s":4711.5,
 *    "interval_s":1.000123,"host":"node7","screen":"default",
 *    "columns":[{"id":"cpu","header":"%CPU","unit":"%","kind":"rate","description":"CPU usage"}],
 *    "rows":[{"kind":"process","pid":4711,"name":"bash","user":"alice",
 *             "values":{"cpu":25,"ipc":null},"quality":{"ipc":"denied"}}]}
 *   {"type":"exit","schema":1,"time":...,"kind":"process","pid":4712,...}
 *   {"type":"summary","schema":1,"time":...,"command":["make"],"status":0,"wall_s":12.5,...}
 *
 * Each object is on one line. The first refresh has "columns", and so has each refresh after a
 * change of the screen.
 */

#define SCHEMA 1

struct json {
	struct strbuf buf, time;
	struct frame ended;
	struct fields fields;
	bool chosen; /* the user chose fields; else is_wanted() has the default */
	/* The screen in which the fields were found; NULL: none yet. */
	const struct screen *screen;
	size_t n_columns;
};

static int json_open(struct sink *sink, struct err *err)
{
	struct json *json = xcalloc(1, sizeof *json);

	(void)err;
	strbuf_init(&json->buf);
	strbuf_init(&json->time);
	frame_init(&json->ended);
	sink->state = json;
	return 0;
}

/* Appends the members that all objects begin with. */
static void add_head(struct json *json, const char *type, const struct frame *frame)
{
	const struct sample_machine *machine = frame->sample->machine;
	struct strbuf *out = &json->buf;

	json_member_text(out, "type", type);
	json_key(out, "schema");
	json_count(out, SCHEMA);
	json_member_text(out, "time", json->time.text);
	json_key(out, "mono_s");
	json_number(out, (double)frame->sample->mono_ns / 1e9);
	json_key(out, "interval_s");
	if (frame->interval_ns)
		json_number(out, (double)frame->interval_ns / 1e9);
	else
		json_text(out, NULL);
	json_member_text(out, "host", machine ? machine->host : NULL);
	json_member_text(out, "screen", frame->screen->name);
	if (view_shown(frame->view).values != VALUES_INTERVAL)
		json_member_text(out, "value_kind", values_name[view_shown(frame->view).values]);
}

static void add_column(struct strbuf *out, const struct column *column)
{
	const char *unit = unit_table[column->unit].name;
	struct strbuf header;
	int len;

	strbuf_init(&header);
	screen_column_name(column, &len);
	strbuf_add(&header, screen_column_name(column, &len), (size_t)len);
	json_begin(out, '{');
	json_member_text(out, "id", column->id);
	json_member_text(out, "header", header.text);
	json_member_text(out, "unit", *unit ? unit : NULL);
	json_member_text(out, "kind", column_kind_name[column->kind]);
	json_member_text(out, "description", *column->desc ? column->desc : NULL);
	json_end(out, '}');
	strbuf_done(&header);
}

static void add_columns(struct json *json)
{
	json_key(&json->buf, "columns");
	json_begin(&json->buf, '[');
	for (size_t i = 0; i < json->fields.n; i++)
		if (json->fields.v[i].field == FIELD_COLUMN)
			add_column(&json->buf, &json->screen->column[json->fields.v[i].column]);
	json_end(&json->buf, ']');
}

/* Appends a field; nothing if the row does not have it. */
static void add_json_field(struct strbuf *out, struct field_ref ref, const struct frame *frame,
			   const struct frame_row *row)
{
	char buf[FIELD_TEXT_MAX];
	const struct report_scalar s = field_scalar(ref, frame, row, buf);

	if (s.kind == REPORT_ABSENT)
		return;
	json_key(out, ref.field == FIELD_COLUMN ? frame->screen->column[ref.column].id
						: field_ids[ref.field]);
	scalar_add_json(out, &s);
}

static void add_values(struct json *json, const struct frame *frame, const struct frame_row *row)
{
	json_key(&json->buf, "values");
	json_begin(&json->buf, '{');
	for (size_t i = 0; i < json->fields.n; i++)
		if (json->fields.v[i].field == FIELD_COLUMN)
			add_json_field(&json->buf, json->fields.v[i], frame, row);
	json_end(&json->buf, '}');
}

/* Appends the qualities of columns that are not exact; nothing if all are. */
static void add_json_qualities(struct json *json, const struct frame *frame,
			       const struct frame_row *row)
{
	struct strbuf *out = &json->buf;
	bool any = false;

	for (size_t i = 0; i < json->fields.n; i++) {
		size_t k = json->fields.v[i].column;

		if (json->fields.v[i].field != FIELD_COLUMN ||
		    frame_value(frame, row, k).quality == QUALITY_EXACT)
			continue;
		if (!any) {
			json_key(out, "quality");
			json_begin(out, '{');
		}
		any = true;
		json_member_text(out, frame->screen->column[k].id,
				 quality_table[frame_value(frame, row, k).quality].name);
	}
	if (any)
		json_end(out, '}');
}

static bool is_wanted(const struct json *json, enum field field, const struct frame *frame)
{
	if (json->chosen)
		return fields_have(&json->fields, field);
	return field != FIELD_COMMAND || frame->view->show_cmdline;
}

/* Appends the fields from `first` to before `end` that are wanted and that the row has. */
static void add_further_fields(struct json *json, enum field first, enum field end,
			       const struct frame *frame, const struct frame_row *row)
{
	for (int field = first; field < (int)end; field++)
		if (is_wanted(json, (enum field)field, frame))
			add_json_field(&json->buf, (struct field_ref){(enum field)field, 0}, frame,
				       row);
}

static void add_json_row(struct json *json, const struct frame *frame, const struct frame_row *row)
{
	add_further_fields(json, FIELD_KIND, FIELD_COLUMN, frame, row);
	if (row->task->kind->in_program && is_wanted(json, FIELD_NAME, frame))
		json_member_text(&json->buf, "program", row->task->process);
	add_values(json, frame, row);
	add_further_fields(json, FIELD_EXIT, FIELD_QUALITY, frame, row);
	if (is_wanted(json, FIELD_QUALITY, frame))
		add_json_qualities(json, frame, row);
}

static void add_refresh(struct json *json, const struct frame *frame, bool columns)
{
	struct strbuf *out = &json->buf;

	json_begin(out, '{');
	add_head(json, "refresh", frame);
	if (columns)
		add_columns(json);
	json_key(out, "rows");
	json_begin(out, '[');
	for (size_t i = 0; i < frame->n; i++) {
		json_begin(out, '{');
		add_json_row(json, frame, &frame->row[i]);
		json_end(out, '}');
	}
	json_end(out, ']');
	json_end(out, '}');
	strbuf_addch(out, '\n');
}

/* Appends an object for each task that exited, whether its row is shown or not. */
static void add_exits(struct json *json, const struct frame *frame)
{
	frame_build_ended(&json->ended, frame);
	for (size_t i = 0; i < json->ended.n; i++) {
		json_begin(&json->buf, '{');
		add_head(json, "exit", frame);
		add_json_row(json, &json->ended, &json->ended.row[i]);
		json_end(&json->buf, '}');
		strbuf_addch(&json->buf, '\n');
	}
}

/* Finds the fields of the frame's screen. After a change of the screen, fields that the new one
 * lacks are left out. */
static int find_fields(struct json *json, const struct sink *sink, const struct frame *frame,
		       struct err *err)
{
	bool first = !json->screen;

	fields_done(&json->fields);
	json->chosen = sink->fields != NULL;
	json->screen = frame->screen;
	json->n_columns = frame->screen->n_columns;
	return fields_find(&json->fields, sink->fields, !first, frame->screen, frame->view, err);
}

static int json_frame(struct sink *sink, const struct frame *frame, struct err *err)
{
	struct json *json = sink->state;
	bool other = json->screen != frame->screen || json->n_columns != frame->screen->n_columns;

	if (other && find_fields(json, sink, frame, err))
		return -EINVAL;
	strbuf_reset(&json->buf);
	strbuf_reset(&json->time);
	clock_add_time(&json->time, frame->wall_ns);
	add_refresh(json, frame, other);
	add_exits(json, frame);
	return dest_write(&sink->dest, json->buf.text, json->buf.len, err);
}

/* Appends the count of each event: if `ended`, over the exited tasks as reported at their ends;
 * else over the whole command. */
static void add_event_totals(struct strbuf *out, const struct summary *s, bool ended)
{
	json_key(out, "events");
	json_begin(out, '{');
	for (int i = summary_next_event(s, 0); i >= 0; i = summary_next_event(s, i + 1)) {
		const struct value v = ended ? s->how.count[i] : summary_event(s, i);

		json_key(out, summary_event_name(s, i));
		json_begin(out, '{');
		json_key(out, "value");
		json_value(out, v);
		json_member_text(out, "quality", quality_table[v.quality].name);
		json_member_text(out, "unit", unit_table[summary_event_unit(s, i)].name);
		json_end(out, '}');
	}
	json_end(out, '}');
}

static void add_seconds(struct strbuf *out, const char *key, struct value ns)
{
	json_key(out, key);
	if (value_known(ns))
		json_number(out, ns.number / 1e9);
	else
		json_text(out, NULL);
}

static void add_ended(struct strbuf *out, const struct summary *s)
{
	json_key(out, "ended");
	json_begin(out, '{');
	json_key(out, "tasks");
	json_count(out, s->how.ended);
	json_key(out, "lost");
	json_value(out, s->how.damaged ? value_none(QUALITY_NOT_READ) : value_count(s->how.lost));
	json_key(out, "reopened");
	json_count(out, s->how.reopened);
	add_event_totals(out, s, true);
	json_end(out, '}');
}

static void add_programs(struct strbuf *out, const struct summary *s)
{
	json_key(out, "programs");
	json_begin(out, '[');
	for (size_t i = 0; i < s->how.n_programs; i++) {
		const struct ending_program *p = &s->how.program[i];

		json_begin(out, '{');
		json_member_text(out, "name", p->name);
		json_key(out, "processes");
		json_count(out, p->processes);
		add_seconds(out, "cpu_s", p->cpu_ns);
		json_key(out, "failed");
		json_value(out, p->failed);
		if (p->failed.quality != QUALITY_EXACT)
			json_member_text(out, "failed_quality",
					 quality_table[p->failed.quality].name);
		json_end(out, '}');
	}
	json_end(out, ']');
	add_seconds(out, "rest_cpu_s", summary_rest(s));
	json_key(out, "names_lost");
	json_count(out, s->how.names_lost);
}

static void add_conflict(struct strbuf *out, const struct summary *s)
{
	struct strbuf conflict;

	strbuf_init(&conflict);
	if (summary_add_conflict(&conflict, s))
		json_member_text(out, "conflict", conflict.text);
	strbuf_done(&conflict);
}

static void add_summary(struct json *json, const struct summary *s)
{
	struct strbuf *out = &json->buf;

	json_begin(out, '{');
	add_head(json, "summary", s->frame);
	json_key(out, "command");
	json_begin(out, '[');
	for (char *const *word = s->how.command; *word; word++)
		json_text(out, *word);
	json_end(out, ']');
	json_key(out, "status");
	if (s->how.unknown)
		json_text(out, NULL);
	else
		json_count(out, (uint64_t)s->how.status);
	add_seconds(out, "wall_s", value_exact((double)s->frame->interval_ns));
	add_seconds(out, "cpu_s", summary_cpu(s));
	add_seconds(out, "user_s", summary_fact(s, FACT_UTIME_NS));
	add_seconds(out, "system_s", summary_fact(s, FACT_STIME_NS));
	add_conflict(out, s);
	add_event_totals(out, s, false);
	json_member_text(out, "level", summary_level(s));
	if (s->how.from_ns)
		add_seconds(out, "counted_from_s", value_exact((double)s->how.from_ns));
	if (summary_has_ends(s))
		add_ended(out, s);
	if (s->how.program && !s->how.from_ns)
		add_programs(out, s);
	if (s->runs) {
		json_key(out, "runs");
		runs_add_json(out, s->runs);
	}
	add_values(json, s->frame, &s->frame->row[0]);
	add_json_qualities(json, s->frame, &s->frame->row[0]);
	json_end(out, '}');
	strbuf_addch(out, '\n');
}

static int json_summary(struct sink *sink, const struct summary *summary, struct err *err)
{
	struct json *json = sink->state;

	/* A summary shows the first screen, even if a key has changed the screen. */
	if (json->screen != summary->frame->screen && find_fields(json, sink, summary->frame, err))
		return -EINVAL;
	strbuf_reset(&json->buf);
	strbuf_reset(&json->time);
	clock_add_time(&json->time, summary->frame->wall_ns);
	add_summary(json, summary);
	return dest_write(&sink->dest, json->buf.text, json->buf.len, err);
}

/* Appends the beginning of a JSON file, which does not depend on the screen. */
static int json_header(const struct sink *sink, const struct screen *screen,
		       const struct view *view, struct strbuf *out, struct err *err)
{
	(void)sink, (void)screen, (void)view, (void)err;
	strbuf_addf(out, "{\"type\":\"refresh\",\"schema\":%d,", SCHEMA);
	return 0;
}

static int json_close(struct sink *sink, struct err *err)
{
	struct json *json = sink->state;

	(void)err;
	frame_done(&json->ended);
	fields_done(&json->fields);
	strbuf_done(&json->time);
	strbuf_done(&json->buf);
	free(json);
	sink->state = NULL;
	return 0;
}

const struct sink_ops sink_json = {
	.name = "json",
	.help = "JSON Lines, an object for each refresh, ended task and summary",
	.open = json_open,
	.header = json_header,
	.frame = json_frame,
	.summary_header = "{\"type\":\"summary\",",
	.summary = json_summary,
	.close = json_close,
};
