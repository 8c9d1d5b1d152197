/* SPDX-License-Identifier: GPL-2.0-or-later */
/* part of change: what it says; doc/compare.md has the fields. */
#include <math.h>
#include <string.h>

#include "base/mem.h"
#include "base/text.h"
#include "base/variation.h"
#include "compare/change.h"

#define MEAN .csv_digits = 3, .width = 10, .digits = 2, .style = REPORT_ROUND
#define PCT  .csv_digits = 3, .width = 9, .digits = 1, .unit = "%"

/* clang-format off */
/* The first one is there where some are selected: then JSON has them, too. */
static const struct report_column flat_columns[] = {
	{.id = "type"},
	{.csv = "name"},
	{.csv = "kind"},
	{.csv = "caller"},
	{.title = "#", .width = -12, .indent = 4},
	{.csv = "phase"},
	{.csv = "unit"},
	{.csv = "n_a"},
	{.csv = "mean_a", .title = "MEAN A", MEAN},
	{.csv = "stddev_a", .title = "SD A", MEAN},
	{.csv = "n_b"},
	{.csv = "mean_b", .title = "MEAN B", MEAN},
	{.csv = "stddev_b", .title = "SD B", MEAN},
	{.csv = "change_pct", .title = "CHANGE", .sign = true, PCT},
	{.csv = "margin_pct", .title = "+-", PCT},
	{.csv = "all_change", .csv_digits = 3},
	{.csv = "all_margin", .csv_digits = 3},
};

/* Members of a difference, which is a group in JSON. */
static const struct report_column difference_columns[] = {
	{.id = "unit"},
	{.id = "a", .members = 3}, {.id = "n"}, {.id = "mean"}, {.id = "stddev"},
	{.id = "b", .members = 3}, {.id = "n"}, {.id = "mean"}, {.id = "stddev"},
	{.id = "change_pct"},
	{.id = "margin_pct"},
};
/* clang-format on */

#define N_FLAT_COLUMNS       (sizeof flat_columns / sizeof *flat_columns)
#define N_DIFFERENCE_COLUMNS (sizeof difference_columns / sizeof *difference_columns)

static const struct report_type line_type = {flat_columns + 1, N_FLAT_COLUMNS - 1, NULL, 1, NULL};
static const struct report_type flat_type = {flat_columns, N_FLAT_COLUMNS, NULL, 1, NULL};
/* People do not read of what was not done on any side. */
static const struct report_type csv_line_type = {flat_columns + 1, N_FLAT_COLUMNS - 1, NULL, 0,
						 NULL};

static const struct saved_entry *names_of(const struct saved_change_row *row)
{
	return row->entry[row->entry[0] ? 0 : 1];
}

static bool is_time(const char *unit)
{
	return unit && !strcmp(unit, "ns");
}

/* --- sentences, for people --- */

static void note_contended(const struct saved_change *c, struct strbuf *out,
			   const struct saved_change_row *row)
{
	const double *pct = row->contended_pct;

	(void)c;
	if (isnan(pct[0]) && isnan(pct[1]))
		return;
	strbuf_addstr(out, "    contended");
	for (int side = 0; side < 2; side++)
		if (isnan(pct[side]))
			strbuf_addf(out, "  %s -", side ? "B" : "A");
		else
			strbuf_addf(out, "  %s %.1f %%", side ? "B" : "A", pct[side]);
	strbuf_addch(out, '\n');
}

static void note_all(const struct saved_change *c, struct strbuf *out,
		     const struct saved_change_row *row)
{
	const bool time = is_time(c->unit_of_all);

	strbuf_addstr(out, ": ");
	if (isnan(row->change)) {
		strbuf_addch(out, '-');
		return;
	}
	strbuf_addf(out, time ? "%+.3f" : "%+.0f", time ? row->change / 1e6 : row->change);
	if (!isnan(row->margin))
		strbuf_addf(out, time ? " +- %.3f" : " +- %.0f",
			    time ? row->margin / 1e6 : row->margin);
	strbuf_addch(out, ' ');
	text_add(out, time ? "ms" : c->unit_of_all);
}

static void note_row(const struct saved_change *c, struct strbuf *out,
		     const struct saved_change_row *row)
{
	const struct saved_entry *e = names_of(row);

	text_add(out, e->name);
	if (c->type->kind) {
		strbuf_addstr(out, " (");
		text_add(out, e->kind[0] ? e->kind : "-");
		strbuf_addch(out, ')');
	}
	if (c->type->has_callers) {
		strbuf_addstr(out, ", acquired by ");
		text_add(out, e->caller[0] ? e->caller : "-");
	}
	note_all(c, out, row);
	if (!row->entry[0] || !row->entry[1])
		strbuf_addf(out, ", in %s only", row->entry[0] ? "A" : "B");
	strbuf_addch(out, '\n');
}

static bool knows_margins(const struct saved_change *c)
{
	return c->side[0]->n >= VARIATION_LEAST && c->side[1]->n >= VARIATION_LEAST;
}

static void note_units(const struct saved_change *c, struct strbuf *out)
{
	const bool time = is_time(c->unit_of_all);

	strbuf_addstr(out, time ? "# Times of each are in ns" : "# Numbers are ");
	if (time && c->type->in_modes && c->unit[1])
		strbuf_addf(out, ", %s and %s are ", c->type->amount[1], c->type->amount[2]);
	if (time && c->type->time && c->unit[1])
		strbuf_addf(out, ", %s is ", c->type->amount[1]);
	if (!time || ((c->type->in_modes || c->type->time) && c->unit[1])) {
		text_add(out, c->unit[1]);
		strbuf_addstr(out, " of each");
	}
	if (!c->several)
		strbuf_addstr(out, "; +- is what as many independent calls would differ by, and no "
				   "more is known of two runs.\n");
	else
		strbuf_addf(out,
			    "; means of runs, how these differ, and +-, by what they would "
			    "differ if nothing had changed%s.\n",
			    knows_margins(c) ? "" : ", of which less than 3 of a side say nothing");
}

static void note_head(const struct saved_change *c, struct strbuf *out)
{
	for (int side = 0; side < 2; side++) {
		strbuf_addf(out, "# %s  ", side ? "B" : "A");
		text_add(out, c->side[side]->what);
		strbuf_addch(out, '\n');
	}
	note_units(c, out);
}

/* --- lines of text and CSV: one of each difference --- */

static void put_line(struct report_record *r, const struct saved_change *c,
		     const struct saved_change_row *row, const char *name, const char *phase,
		     const char *unit, const struct saved_difference *d)
{
	const struct saved_entry *e = names_of(row);

	if (r->type == &flat_type)
		record_textf(r, "type", "%s_change", c->type->line);
	record_text(r, "", e->name);
	record_text(r, "", e->kind);
	record_text(r, "", e->caller);
	record_text(r, "", name);
	record_text(r, "", phase);
	record_text(r, "", unit);
	for (int side = 0; side < 2; side++) {
		record_number(r, "", d->of[side].n);
		record_number(r, "", d->of[side].mean);
		record_number(r, "", d->of[side].sd);
	}
	record_number(r, "", d->change_pct);
	record_number(r, "", d->margin_pct);
	record_number(r, "", row->change);
	record_number(r, "", row->margin);
}

static void add_section(struct report *report, const struct saved_change *c,
			const struct saved_change_row *row,
			void (*note)(const struct saved_change *c, struct strbuf *out,
				     const struct saved_change_row *row))
{
	struct strbuf text;

	strbuf_init(&text);
	note(c, &text, row);
	report_section(report, text.text);
	strbuf_done(&text);
}

/* flat: they are selected. */
static void add_lines(struct report *report, const struct saved_change *c,
		      const struct saved_change_row *row, bool flat)
{
	const struct report_type *type = flat ? &flat_type : &line_type;

	add_section(report, c, row, note_row);
	put_line(report_add(report, type), c, row, c->type->did, c->type->count, "", &row->count);
	add_section(report, c, row, note_contended);
	for (int i = 0; i < SAVED_AMOUNTS; i++) {
		const struct saved_difference *d = &row->amount[i];
		const char *name = c->type->amount[i];
		const bool any = d->of[0].n > 0 || d->of[1].n > 0;

		if (c->unit[i])
			put_line(report_add(report, any || flat ? type : &csv_line_type), c, row,
				 name, name, c->unit[i], d);
	}
}

/* --- objects of JSON: one of each row --- */

static void add_difference_columns(struct report_own_type *t, const char *id)
{
	const size_t group = report_own_type_add(t, (struct report_column){.id = id});

	for (size_t i = 0; i < N_DIFFERENCE_COLUMNS; i++)
		report_own_type_add(t, difference_columns[i]);
	report_own_type_group(t, group);
}

static void make_row_type(struct report_own_type *t, const struct saved_change *c)
{
	const char *const ids[] = {
		"type", "name",   c->type->kind, c->type->has_callers ? "caller" : NULL, "a", "b",
		"unit", "change", "margin"};

	report_own_type_init(t, NULL, 0);
	for (size_t i = 0; i < sizeof ids / sizeof *ids; i++)
		if (ids[i])
			report_own_type_add(t, (struct report_column){.id = ids[i]});
	add_difference_columns(t, c->type->count);
	for (int i = 0; i < SAVED_AMOUNTS; i++)
		if (c->unit[i])
			add_difference_columns(t, c->type->amount[i]);
}

static void put_difference(struct report_record *r, const char *id, const char *unit,
			   const struct saved_difference *d)
{
	record_group(r, id);
	record_text(r, "unit", unit);
	for (int side = 0; side < 2; side++) {
		record_group(r, side ? "b" : "a");
		record_number(r, "n", d->of[side].n);
		record_number(r, "mean", d->of[side].mean);
		record_number(r, "stddev", d->of[side].sd);
	}
	record_number(r, "change_pct", d->change_pct);
	record_number(r, "margin_pct", d->margin_pct);
}

static void put_row(struct report_record *r, const struct saved_change *c,
		    const struct saved_change_row *row)
{
	const struct saved_entry *e = names_of(row);

	record_textf(r, "type", "%s_change", c->type->line);
	record_text(r, "name", e->name);
	if (c->type->kind)
		record_text(r, c->type->kind, e->kind);
	if (c->type->has_callers)
		record_text(r, "caller", e->caller);
	record_text(r, "a", row->entry[0] ? c->side[0]->what : NULL);
	record_text(r, "b", row->entry[1] ? c->side[1]->what : NULL);
	record_text(r, "unit", c->unit_of_all);
	record_number(r, "change", row->change);
	record_number(r, "margin", row->margin);
	put_difference(r, c->type->count, NULL, &row->count);
	for (int i = 0; i < SAVED_AMOUNTS; i++)
		if (c->unit[i])
			put_difference(r, c->type->amount[i], c->unit[i], &row->amount[i]);
}

/* --- all --- */

int saved_change_check(const struct report_selection *s, struct err *err)
{
	return report_select_check(s, &line_type, err);
}

void saved_change_add(struct report *report, const struct saved_change *c, size_t n,
		      const struct report_selection *s)
{
	struct report_own_type *row_type = xcalloc(1, sizeof *row_type);
	const bool flat = s->fields || s->sort;
	struct strbuf head;

	make_row_type(row_type, c);
	strbuf_init(&head);
	note_head(c, &head);
	report_note(report, head.text);
	strbuf_done(&head);
	report_heading(report, flat ? &flat_type : &line_type);
	for (size_t i = 0; i < c->n && i < n; i++) {
		add_lines(report, c, &c->row[i], flat);
		if (!flat)
			put_row(report_add(report, &row_type->type), c, &c->row[i]);
	}
	report_select(report, s);
	report_own(report, row_type);
}
