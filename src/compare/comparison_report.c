/* SPDX-License-Identifier: GPL-2.0-or-later */
/* part of comparison: what it says; doc/compare.md has the fields. */
#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "base/mem.h"
#include "base/text.h"
#include "compare/comparison.h"

#define SCHEMA 1

#define METHOD        "EWC test, for intervals that resemble each other"
#define METHOD_SOURCE "(Lazarus, Lewis, Stock, Watson 2018)"

#define MEAN .style = REPORT_SHORT, .unknown = "?"
#define PCT  .digits = 1, .unit = "%"

/* So many names of what ran on one side only. */
#define ALONE_MAX 10

/* clang-format off */
static const struct report_column row_columns[] = {
	{.title = "  COLUMN", .width = -11, .indent = 2},
	{.id = "column", .csv = "column"},
	{.id = "unit", .csv = "unit"},
	{.id = "n_a", .csv = "n_a", .title = "N", .width = 4},
	{.id = "mean_a", .csv = "mean_a", .title = "MEAN A", .width = 8, MEAN},
	{.id = "sd_a", .csv = "sd_a", .title = "SD A", .width = 7, MEAN},
	{.id = "n_b", .csv = "n_b", .title = "N", .width = 4},
	{.id = "mean_b", .csv = "mean_b", .title = "MEAN B", .width = 8, MEAN},
	{.id = "sd_b", .csv = "sd_b", .title = "SD B", .width = 7, MEAN},
	{.id = "difference", .csv = "difference", .width = 8, MEAN},
	{.id = "margin", .csv = "margin", .width = 8, MEAN},
	{.id = "change_pct", .csv = "change_pct", .title = "CHANGE", .width = 8, .sign = true, PCT},
	{.id = "margin_pct", .csv = "margin_pct", .title = "+-", .width = 6, PCT},
	COMPARISON_RESULT_COLUMNS,
	{.id = "reason_a", .csv = "reason_a"},
	{.id = "reason_b", .csv = "reason_b"},
};

static const struct report_column unlike_columns[] = {{.id = "column"}, {.id = "reason"}};
static const struct report_type unlike_type = {unlike_columns, 2, NULL, 0, NULL};

#define SIDE_MEMBERS                                                                               \
	{.id = "recording"}, {.id = "from"}, {.id = "to"}, {.id = "intervals"},                    \
	{.id = "interval_s"}, {.id = "host"}, {.id = "arch"}, {.id = "model"}, {.id = "only_here"}

static const struct report_column columns[] = {
	{.id = "type"},
	{.id = "schema"},
	{.id = "screen"},
	{.id = "method"},
	{.id = "confidence"},
	{.id = "a", .members = 9}, SIDE_MEMBERS,
	{.id = "b", .members = 9}, SIDE_MEMBERS,
	{.id = "rows"},
	{.id = "not_compared"},
};
static const struct report_type type = {columns, sizeof columns / sizeof *columns, NULL, 0, NULL};
/* clang-format on */

/* --- sentences, for people --- */

static void note_side(struct strbuf *out, const struct comparison_side *side)
{
	const struct series_list *l = &side->list;
	const struct sample_machine *m = side->machine;

	strbuf_addf(out, "%s  ", side->screen.label);
	text_add(out, side->what);
	if (!l->n_intervals) {
		strbuf_addstr(out, ": no intervals\n");
		return;
	}
	strbuf_addstr(out, ": ");
	clock_add_date(out, l->span.begin_ns);
	strbuf_addstr(out, " to ");
	clock_add_date(out, l->span.end_ns);
	strbuf_addf(out, ",\n   %zu interval%s of %.3g s", l->n_intervals,
		    l->n_intervals == 1 ? "" : "s", l->interval_s);
	if (m && *m->host) {
		strbuf_addstr(out, " on ");
		text_add(out, m->host);
	}
	if (m && *m->model) {
		strbuf_addstr(out, " (");
		text_add(out, m->arch);
		strbuf_addch(out, ' ');
		text_add(out, m->model);
		strbuf_addch(out, ')');
	}
	strbuf_addch(out, '\n');
}

static void note_head(struct strbuf *out, const struct comparison *c)
{
	note_side(out, c->side[0]);
	note_side(out, c->side[1]);
	strbuf_addstr(out, "Screen ");
	text_add(out, c->side[0]->screen.screen->name);
	strbuf_addf(
		out,
		": mean and standard deviation over the N intervals that have\n"
		"a number; counts are per second. Noise alone makes a change of more than +- in\n"
		"%g of 100 cases:\n" METHOD "\n" METHOD_SOURCE "\n\n",
		100 * (1 - MEANS_CONFIDENCE));
}

static void add_series(struct strbuf *out, const struct series *s)
{
	strbuf_addf(out, "%s%s%s", s->program ? s->program : "", s->program ? ": " : "", s->name);
}

static bool is_of_same_name(const struct comparison_pair *pair)
{
	const struct series *a = pair->of[0], *b = pair->of[1];

	return !strcmp(a->name, b->name) && (!a->program || !strcmp(a->program, b->program));
}

static void note_pair(struct strbuf *out, const struct comparison *c,
		      const struct comparison_pair *pair)
{
	struct strbuf names;

	strbuf_init(&names);
	add_series(&names, pair->of[0]);
	if (!is_of_same_name(pair)) {
		strbuf_addf(&names, " (%s) and ", c->side[0]->screen.label);
		add_series(&names, pair->of[1]);
		strbuf_addf(&names, " (%s)", c->side[1]->screen.label);
	}
	strbuf_addch(out, '\n');
	text_add(out, names.text);
	strbuf_addch(out, '\n');
	strbuf_done(&names);
}

static void note_alone(struct strbuf *out, const struct comparison *c, int side)
{
	const size_t n = c->n_alone[side];
	struct strbuf name;

	if (!n)
		return;
	strbuf_init(&name);
	strbuf_addf(out, "Only in %s:", c->side[side]->screen.label);
	for (size_t i = 0; i < n && i < ALONE_MAX; i++) {
		strbuf_reset(&name);
		strbuf_addstr(&name, i ? ", " : " ");
		add_series(&name, c->alone[side][i]);
		text_add(out, name.text);
	}
	if (n > ALONE_MAX)
		strbuf_addf(out, " and %zu more", n - ALONE_MAX);
	strbuf_addch(out, '\n');
	strbuf_done(&name);
}

static void note_foot(struct strbuf *out, const struct comparison *c)
{
	if (c->n_more || c->n_alone[0] || c->n_alone[1] || c->n_unlike)
		strbuf_addch(out, '\n');
	if (c->n_more)
		strbuf_addf(out, "In both, and not shown: %zu more (--rows 0 shows all)\n",
			    c->n_more);
	note_alone(out, c, 0);
	note_alone(out, c, 1);
	for (size_t i = 0; i < c->n_unlike; i++) {
		strbuf_addstr(out, "Not compared: ");
		text_add(out, c->unlike[i].id);
		strbuf_addstr(out, ": ");
		text_add(out, c->unlike[i].why);
		strbuf_addch(out, '\n');
	}
}

/* --- rows --- */

/* The unit of a column where counts are per second. */
static const char *unit_of(const struct column *c)
{
	static const char *const per_s[N_UNITS] = {
		[UNIT_NONE] = "1/s",  [UNIT_COUNT] = "1/s", [UNIT_MILLION] = "million/s",
		[UNIT_NS] = "ns/s",   [UNIT_S] = "s/s",     [UNIT_BYTES] = "bytes/s",
		[UNIT_KIB] = "KiB/s",
	};

	if (c->kind == COLUMN_COUNT && per_s[c->unit])
		return per_s[c->unit];
	return unit_table[c->unit].name;
}

/* Makes the type of the rows: the names of both sides, with their programs where they are in some,
 * and what is known of a column. */
static void make_row_type(struct report_own_type *t, const struct comparison *c)
{
	const struct group_key_row *key = c->side[0]->key;
	char name[32];

	report_own_type_init(t, NULL, 0);
	report_own_type_table(t, NULL);
	for (int of_program = key->kind->in_program; of_program >= 0; of_program--)
		for (int k = 0; k < 2; k++) {
			snprintf(name, sizeof name, "%s_%c", of_program ? "program" : key->name,
				 "ab"[k]);
			report_own_type_add(t, (struct report_column){.id = name, .csv = name});
		}
	for (size_t i = 0; i < sizeof row_columns / sizeof *row_columns; i++)
		report_own_type_add(t, row_columns[i]);
}

static void put_names(struct report_record *r, const struct comparison *c,
		      const struct comparison_pair *pair, const struct column *column)
{
	const size_t n_names = c->side[0]->key->kind->in_program ? 4 : 2;
	const char *text;
	int len;

	for (size_t i = 0; i < n_names; i++) {
		const struct series *s = pair->of[i % 2];

		record_text(r, r->type->column[i].id, i + 2 < n_names ? s->program : s->name);
	}
	/* What is a count of the interval is per second here. */
	text = screen_column_name(column, &len);
	record_textf(r, "", "%.*s%s", len, text, column->kind == COLUMN_COUNT ? "/s" : "");
	record_text(r, "column", column->id);
	record_text(r, "unit", unit_of(column));
}

void comparison_put_result(struct report_record *r, enum difference_result result,
			   const char *label, enum quality why)
{
	const char *name = difference_result_name[result];

	record_text(r, "result", name);
	if (result == DIFFERENCE_UNKNOWN)
		record_textf(r, "", "%s: %s: %s", name, label, quality_table[why].text);
	else
		record_text(r, "", name);
}

/* Why there is nothing to compare, of the side that lacks it. */
static void put_reason(struct report_record *r, const char *id, const struct comparison_cell *cell,
		       int side)
{
	record_text(r, id, cell->of[side].n ? NULL : quality_table[cell->why[side]].name);
}

static void put_row(struct report_record *r, const struct comparison *c,
		    const struct comparison_pair *pair, size_t column)
{
	const struct comparison_cell *cell = &pair->cell[column];
	const int side = cell->of[0].n ? 1 : 0;

	put_names(r, c, pair, c->column[column]);
	record_count(r, "n_a", cell->of[0].n);
	record_number(r, "mean_a", cell->of[0].mean);
	record_number(r, "sd_a", cell->of[0].sd);
	record_count(r, "n_b", cell->of[1].n);
	record_number(r, "mean_b", cell->of[1].mean);
	record_number(r, "sd_b", cell->of[1].sd);
	record_number(r, "difference", cell->difference.difference);
	record_number(r, "margin", cell->difference.margin);
	record_number(r, "change_pct", cell->change_pct);
	record_number(r, "margin_pct", cell->margin_pct);
	comparison_put_result(r, cell->result, c->side[side]->screen.label, cell->why[side]);
	put_reason(r, "reason_a", cell, 0);
	put_reason(r, "reason_b", cell, 1);
}

/* --- all --- */

static void put_span(struct report_record *r, const struct series_list *l)
{
	if (l->n_intervals) {
		record_time(r, "from", l->span.begin_ns);
		record_time(r, "to", l->span.end_ns);
	} else {
		record_absent(r, "from");
		record_absent(r, "to");
	}
	record_count(r, "intervals", l->n_intervals);
	record_number(r, "interval_s", l->interval_s);
}

static void put_side(struct report_record *r, const char *id, const struct comparison *c, int side)
{
	const struct comparison_side *s = c->side[side];
	const struct sample_machine *m = s->machine;
	struct strbuf name;

	record_group(r, id);
	record_text(r, "recording", s->what);
	put_span(r, &s->list);
	record_text(r, "host", m && *m->host ? m->host : NULL);
	record_text(r, "arch", m && *m->arch ? m->arch : NULL);
	record_text(r, "model", m && *m->model ? m->model : NULL);
	record_list(r, "only_here", 1);
	strbuf_init(&name);
	for (size_t i = 0; i < c->n_alone[side]; i++) {
		strbuf_reset(&name);
		add_series(&name, c->alone[side][i]);
		record_item_text(r, name.text);
	}
	strbuf_done(&name);
}

static void note(struct report *report, const struct comparison *c,
		 void (*add)(struct strbuf *out, const struct comparison *c))
{
	struct strbuf text;

	strbuf_init(&text);
	add(&text, c);
	report_note(report, text.text);
	strbuf_done(&text);
}

static void add_pairs(struct report *report, const struct report_type *row_type,
		      const struct comparison *c)
{
	struct strbuf names;

	strbuf_init(&names);
	report_heading(report, row_type);
	for (size_t i = 0; i < c->n_pairs; i++) {
		strbuf_reset(&names);
		note_pair(&names, c, &c->pair[i]);
		report_section(report, names.text);
		for (size_t k = 0; k < c->n_columns; k++)
			put_row(report_add_inner(report, row_type), c, &c->pair[i], k);
	}
	strbuf_done(&names);
}

static void add_unlike(struct report *report, const struct comparison *c)
{
	for (size_t i = 0; i < c->n_unlike; i++) {
		struct report_record *r = report_add_inner(report, &unlike_type);

		record_text(r, "column", c->unlike[i].id);
		record_text(r, "reason", c->unlike[i].why);
	}
}

/* What is selected is of the rows. */
static void add_all(struct report *report, const struct report_type *row_type,
		    const struct comparison *c, const struct report_selection *s)
{
	struct report_record *r;
	size_t unlike;

	note(report, c, note_head);
	add_pairs(report, row_type, c);
	report_select(report, s);
	unlike = report->n;
	add_unlike(report, c);
	note(report, c, note_foot);
	r = report_add(report, &type);
	record_text(r, "type", "comparison");
	record_count(r, "schema", SCHEMA);
	record_text(r, "screen", c->side[0]->screen.screen->name);
	record_text(r, "method", METHOD " " METHOD_SOURCE);
	record_number(r, "confidence", MEANS_CONFIDENCE);
	put_side(r, "a", c, 0);
	put_side(r, "b", c, 1);
	record_records(r, "rows", 0, unlike);
	record_records(r, "not_compared", unlike, report->n - 1);
}

int comparison_add(struct report *report, const struct comparison *c,
		   const struct report_selection *s, struct err *err)
{
	struct report_own_type *row_type = xcalloc(1, sizeof *row_type);
	int ret;

	make_row_type(row_type, c);
	ret = report_select_check(s, &row_type->type, err);
	if (!ret)
		add_all(report, &row_type->type, c, s);
	report_own(report, row_type);
	return ret;
}
