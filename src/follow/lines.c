/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "follow/lines.h"

#include <inttypes.h>
#include <string.h>
#include <sys/wait.h>

#include "base/csv.h"
#include "base/json.h"
#include "base/text.h"

#define COUNT_WIDTH 15 /* of a column of counts, at least */

void follow_lines_init(struct follow_lines *l, enum follow_format format,
		       const struct event_set *set, int n_sets)
{
	*l = (struct follow_lines){
		.format = format, .set = set, .n_sets = n_sets, .width = COUNT_WIDTH};
	for (int s = 0; s < n_sets; s++) {
		if (set[s].n_counters > l->n_columns)
			l->n_columns = set[s].n_counters;
		for (int c = 0; n_sets == 1 && c < set[s].n_counters; c++) {
			int length = (int)strlen(event_set_counter_name(&set[s], c));

			if (length > l->width)
				l->width = length;
		}
	}
}

/* With several sets, the columns are numbered, and each row names its counters. */
static void add_heading(const struct follow_lines *l, struct strbuf *out, int column)
{
	if (l->n_sets > 1)
		strbuf_addf(out, "pic%d", column);
	else
		strbuf_addstr(out, event_set_counter_name(&l->set[0], column));
}

static void add_right(struct strbuf *out, const char *text, int width)
{
	strbuf_addf(out, " %*s", width, text);
}

void follow_lines_header(const struct follow_lines *l, struct strbuf *out)
{
	struct strbuf name;

	if (l->format == FOLLOW_JSON)
		return;
	strbuf_init(&name);
	strbuf_addstr(out, l->format == FOLLOW_CSV ? "time_s,pid,lwp,event"
						   : "    time     pid     lwp event     ");
	for (int c = 0; c < l->n_columns; c++) {
		strbuf_reset(&name);
		add_heading(l, &name, c);
		if (l->format == FOLLOW_CSV) {
			strbuf_addch(out, ',');
			csv_add_text(out, name.text);
		} else {
			add_right(out, name.text, l->width);
		}
	}
	strbuf_addstr(out, l->format == FOLLOW_CSV ? ",quality,remark\n" : "\n");
	strbuf_done(&name);
}

/* The names of the set's counters: "pic0=cycles,pic1=instructions". */
static void add_names(const struct event_set *set, struct strbuf *out)
{
	for (int c = 0; c < set->n_counters; c++)
		strbuf_addf(out, "%spic%d=%s", c ? "," : "", c, event_set_counter_name(set, c));
}

/* Whoever starts a program chooses its name. */
static void add_image(struct strbuf *out, const char *image)
{
	strbuf_addch(out, '\'');
	text_add(out, image);
	strbuf_addch(out, '\'');
}

/* With what status, or by what signal, the process has ended. */
static const char *end_of(const struct follow_row *row, int *number)
{
	*number = WIFSIGNALED(row->how) ? WTERMSIG(row->how) : WEXITSTATUS(row->how);
	return WIFSIGNALED(row->how) ? "signal" : "status";
}

static void add_end(const struct follow_lines *l, struct strbuf *out, const struct follow_row *row)
{
	int number;
	const char *what = end_of(row, &number);

	if (row->ended && (row->how || l->format == FOLLOW_CSV))
		strbuf_addf(out, "%s%s %d", out->len ? " " : "", what, number);
}

static void add_remark(const struct follow_lines *l, struct strbuf *out,
		       const struct follow_row *row)
{
	if (row->made)
		strbuf_addf(out, "%d", row->made);
	else if (row->image)
		add_image(out, row->image);
	else if (row->value && l->n_sets > 1)
		add_names(&l->set[row->set], out);
	add_end(l, out, row);
}

static void add_count(struct strbuf *out, struct value v)
{
	uint64_t count;

	if (!value_known(v))
		strbuf_addstr(out, "-");
	else if (value_is_count(v, &count))
		strbuf_addf(out, "%" PRIu64, count);
	else
		strbuf_addf(out, "%.0f%s", v.number, v.quality == QUALITY_EXACT ? "" : "~");
}

static void add_text_row(const struct follow_lines *l, struct strbuf *out, double time_s,
			 const struct follow_row *row)
{
	const int n = row->value ? l->set[row->set].n_counters : 0;
	size_t begin = out->len;
	struct strbuf part;

	strbuf_init(&part);
	strbuf_addf(out, "%8.3f %7d ", time_s, row->process);
	if (row->task)
		strbuf_addf(out, "%7d", row->task);
	else
		strbuf_addstr(out, "       ");
	strbuf_addf(out, " %-10s", follow_kind_names[row->kind]);
	for (int c = 0; c < n; c++) {
		strbuf_reset(&part);
		add_count(&part, row->value[c]);
		add_right(out, part.text, l->width);
	}
	strbuf_reset(&part);
	add_remark(l, &part, row);
	if (part.len) {
		for (int c = n; c < l->n_columns; c++)
			add_right(out, "", l->width);
		strbuf_addf(out, " # %s", part.text);
	}
	while (out->len > begin && out->text[out->len - 1] == ' ')
		out->text[--out->len] = '\0';
	strbuf_addch(out, '\n');
	strbuf_done(&part);
}

/* "pic0:scaled pic1:denied": what is not exact. */
static void add_qualities(struct strbuf *out, const struct follow_row *row, int n)
{
	bool any = false;

	for (int c = 0; c < n; c++) {
		if (row->value[c].quality == QUALITY_EXACT)
			continue;
		strbuf_addf(out, "%spic%d:%s", any ? " " : "", c,
			    quality_table[row->value[c].quality].name);
		any = true;
	}
}

static void add_csv_row(const struct follow_lines *l, struct strbuf *out, double time_s,
			const struct follow_row *row)
{
	const int n = row->value ? l->set[row->set].n_counters : 0;
	struct strbuf remark;

	strbuf_init(&remark);
	strbuf_addf(out, "%.6f,%d,", time_s, row->process);
	if (row->task)
		strbuf_addf(out, "%d", row->task);
	strbuf_addf(out, ",%s", follow_kind_names[row->kind]);
	for (int c = 0; c < l->n_columns; c++) {
		strbuf_addch(out, ',');
		if (c < n)
			csv_add_value(out, row->value[c]);
	}
	strbuf_addch(out, ',');
	add_qualities(out, row, n);
	strbuf_addch(out, ',');
	add_remark(l, &remark, row);
	csv_add_text(out, remark.text);
	strbuf_addch(out, '\n');
	strbuf_done(&remark);
}

static void add_json_counts(const struct follow_lines *l, struct strbuf *out,
			    const struct follow_row *row)
{
	const struct event_set *set = &l->set[row->set];
	bool inexact = false;

	json_key(out, "counts");
	json_begin(out, '{');
	for (int c = 0; c < set->n_counters; c++) {
		json_key(out, event_set_counter_name(set, c));
		json_value(out, row->value[c]);
		inexact |= row->value[c].quality != QUALITY_EXACT;
	}
	json_end(out, '}');
	if (!inexact)
		return;
	json_key(out, "quality");
	json_begin(out, '{');
	for (int c = 0; c < set->n_counters; c++) {
		if (row->value[c].quality == QUALITY_EXACT)
			continue;
		json_key(out, event_set_counter_name(set, c));
		json_text(out, quality_table[row->value[c].quality].name);
	}
	json_end(out, '}');
}

static void add_json_row(const struct follow_lines *l, struct strbuf *out, double time_s,
			 const struct follow_row *row)
{
	int number;

	json_begin(out, '{');
	json_key(out, "type");
	json_text(out, "follow");
	json_key(out, "time_s");
	json_number(out, time_s);
	json_key(out, "pid");
	json_count(out, (uint64_t)row->process);
	if (row->task) {
		json_key(out, "lwp");
		json_count(out, (uint64_t)row->task);
	}
	json_key(out, "event");
	json_text(out, follow_kind_names[row->kind]);
	if (row->made) {
		json_key(out, "made");
		json_count(out, (uint64_t)row->made);
	}
	if (row->image) {
		json_key(out, "image");
		json_text(out, row->image);
	}
	if (row->value)
		add_json_counts(l, out, row);
	if (row->ended) {
		json_key(out, end_of(row, &number));
		json_count(out, (uint64_t)number);
	}
	json_end(out, '}');
	strbuf_addch(out, '\n');
}

void follow_lines_row(const struct follow_lines *l, struct strbuf *out, double time_s,
		      const struct follow_row *row)
{
	switch (l->format) {
	case FOLLOW_TEXT:
		add_text_row(l, out, time_s, row);
		break;
	case FOLLOW_CSV:
		add_csv_row(l, out, time_s, row);
		break;
	case FOLLOW_JSON:
		add_json_row(l, out, time_s, row);
		break;
	}
}
