/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "compare/contest.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/lookup.h"
#include "base/mem.h"
#include "base/strbuf.h"
#include "base/unit.h"

/* ---- report ----
 *
 * The output; doc/compare.md has the fields.
 */

#define SCHEMA 1

/* The most other differences that text lists. */
#define REASONS_MAX 5

#define PCT    .digits = 1, .unit = "%"
#define NUMBER .width = 7, .style = REPORT_SHORT, .unknown = "?"

#define SIDE_COLUMNS {.id = "command"}, {.id = "runs", .members = RUNS_MEMBERS}, RUNS_COLUMNS

/* clang-format off */
static const struct report_column row_columns[] = {
	{.title = "MEASURE", .width = -16, .place = -1},
	{.id = "measure", .csv = "measure", .role = REPORT_IS_NAME},
	{.id = "unit", .csv = "unit"},
	{.id = "mean_a", .csv = "mean_a", .title = "MEAN A", NUMBER, .role = REPORT_IS_MEAN, .amount = "a"},
	{.id = "sd_a", .csv = "sd_a", .title = "SD A", NUMBER, .role = REPORT_IS_SD, .amount = "a"},
	{.id = "mean_b", .csv = "mean_b", .title = "MEAN B", NUMBER, .role = REPORT_IS_MEAN, .amount = "b"},
	{.id = "sd_b", .csv = "sd_b", .title = "SD B", NUMBER, .role = REPORT_IS_SD, .amount = "b"},
	{.id = "rounds", .csv = "rounds", .title = "N", .width = 2, .place = -1},
	{.id = "difference", .csv = "difference", NUMBER},
	{.id = "margin", .csv = "margin", NUMBER},
	{.id = "change_pct", .csv = "change_pct", .title = "CHANGE", .width = 7, .sign = true, PCT,
	 .role = REPORT_IS_CHANGE},
	{.id = "margin_pct", .csv = "margin_pct", .title = "+-", .width = 5, PCT, .role = REPORT_IS_MARGIN},
	{.id = "chance", .csv = "chance", .title = "P", .width = 5, .digits = 3},
	COMPARISON_RESULT_COLUMNS,
};

static const struct report_column columns[] = {
	{.id = "type"},
	{.id = "schema"},
	{.id = "confidence"},
	{.id = "faster"},
	{.id = "a", .members = RUNS_MEMBERS + 2}, SIDE_COLUMNS,
	{.id = "b", .members = RUNS_MEMBERS + 2}, SIDE_COLUMNS,
	{.id = "rows"},
};
/* clang-format on */

#define N_ROW_COLUMNS (sizeof row_columns / sizeof *row_columns)

static const struct report_type row_type = {row_columns, N_ROW_COLUMNS, NULL, 1, NULL};
/* Without common measures, text has no table, but CSV has its header. */
static const struct report_type csv_row_type = {row_columns, N_ROW_COLUMNS, NULL, 0, NULL};
static const struct report_type type = {columns, sizeof columns / sizeof *columns, NULL, 0, NULL};

/* --- sentences, for people --- */

static void note_side(struct strbuf *out, const struct contest_side *side)
{
	strbuf_addf(out, "%s  ", side->label);
	text_add(out, side->what);
	strbuf_addstr(out, ": ");
	runs_add_ends(out, side->runs);
	strbuf_addch(out, '\n');
}

/* Appends "12.3 % +- 0.4 % less" or "more". */
static void add_change(struct strbuf *out, const struct contest_row *row)
{
	strbuf_addf(out, "%.1f %%", fabs(row->numbers.change_pct));
	if (!isnan(row->numbers.margin_pct))
		strbuf_addf(out, " +- %.1f %%", row->numbers.margin_pct);
	strbuf_addf(out, " %s", row->numbers.change_pct < 0 ? "less" : "more");
}

static void note_winner(struct strbuf *out, const struct contest *c)
{
	const struct contest_row *row = &c->row[0];
	const char *b = c->side[1]->label;
	const int winner = contest_winner(c);

	if (winner >= 0)
		strbuf_addf(out, "%s is faster: %s takes ", c->side[winner]->label,
			    winner ? "it" : b);
	else if (row->numbers.result == DIFFERENCE_FEW)
		strbuf_addf(out, "too few %s to find a difference (--repeat %d): %s takes ",
			    c->is_paired ? "rounds" : "runs", VARIATION_LEAST, b);
	else
		strbuf_addf(out, "no difference is found: %s takes ", b);
	add_change(out, row);
	strbuf_addstr(out, " time\n");
}

static void add_reason(struct strbuf *out, const struct contest_row *row, const char *before)
{
	strbuf_addf(out, "%s ", before);
	if (isnan(row->numbers.change_pct))
		short_number_add(out, row->numbers.difference, 0);
	else
		strbuf_addf(out, "%.1f %%", fabs(row->numbers.change_pct));
	strbuf_addf(out, " %s ",
		    row->numbers.difference >= 0       ? "more"
		    : row->measure->unit == UNIT_COUNT ? "fewer"
						       : "less");
	text_add(out, row->measure->name);
	if (row->measure->unit == UNIT_S)
		strbuf_addstr(out, " time");
}

static void note_reasons(struct strbuf *out, const struct contest *c)
{
	const struct contest_row **row = xcalloc(c->n + 1, sizeof *row);
	const size_t n = contest_reasons(c, row);

	if (!n)
		strbuf_addstr(out, "nothing else differs by more than noise");
	else
		strbuf_addf(out, "what %sdiffers: %s has", contest_winner(c) < 0 ? "" : "else ",
			    c->side[1]->label);
	for (size_t i = 0; i < n && i < REASONS_MAX; i++)
		add_reason(out, row[i], i ? "," : "");
	if (n > REASONS_MAX)
		strbuf_addf(out, " and %zu more that differ", n - REASONS_MAX);
	strbuf_addch(out, '\n');
	free(row);
}

static void note_outliers(struct strbuf *out, const struct contest_side *side)
{
	char before[16];

	snprintf(before, sizeof before, "%s: ", side->label);
	for (size_t i = 0; i < side->runs->n_measures; i++)
		runs_add_outliers(out, side->runs, i, before);
}

static void note_head(struct strbuf *out, const struct contest *c)
{
	note_side(out, c->side[0]);
	note_side(out, c->side[1]);
	if (!c->n)
		return;
	strbuf_addch(out, '\n');
	note_winner(out, c);
	if (contest_is_tested(c))
		note_reasons(out, c);
	strbuf_addch(out, '\n');
}

static void note_foot(struct strbuf *out, const struct contest *c)
{
	if (!c->n)
		return;
	strbuf_addf(
		out,
		"\n%s CHANGE is that of the %s, +- what it is within\nin %g of 100 cases, P the "
		"chance of such a change among equal commands: below\n%.2g, it is called more or "
		"less. That of each row but the first is corrected for\ntheir number (Holm).\n",
		c->is_paired ? "Both ran in turns, N rounds;" : "All runs are independent;",
		c->is_paired ? "rounds" : "means", 100 * VARIATION_CONFIDENCE,
		1 - VARIATION_CONFIDENCE);
	for (int k = 0; k < 2; k++)
		note_outliers(out, c->side[k]);
}

/* --- records --- */

static void put_row(struct report_record *r, const struct contest_row *row)
{
	const struct run_measure *m = row->measure;

	record_textf(r, "", m->unit == UNIT_COUNT ? "%s" : "%s, %s", m->name,
		     unit_table[m->unit].name);
	record_text(r, "measure", m->name);
	record_text(r, "unit", unit_table[m->unit].name);
	statistics_put(r, &row->numbers);
	comparison_put_result(r, row->numbers.result);
}

static void put_side(struct report_record *r, const char *id, const struct contest_side *side,
		     struct runs_inner inner)
{
	record_group(r, id);
	record_text(r, "command", side->what);
	record_group(r, "runs");
	runs_fill(side->runs, inner, r);
}

static void put_all(struct report_record *r, const struct contest *c,
		    const struct runs_inner inner[2])
{
	static const char *const sides[] = {"a", "b"};
	const int winner = contest_winner(c);

	record_text(r, "type", "contest");
	record_count(r, "schema", SCHEMA);
	record_number(r, "confidence", VARIATION_CONFIDENCE);
	record_text(r, "faster", winner < 0 ? NULL : sides[winner]);
	for (int k = 0; k < 2; k++)
		put_side(r, sides[k], c->side[k], inner[k]);
}

static void add_rows(struct report *report, const struct contest *c)
{
	struct comparison_reason reason = {NULL, QUALITY_EXACT};

	report_heading(report, c->n ? &row_type : &csv_row_type);
	for (size_t i = 0; i < c->n; i++) {
		const struct contest_row *row = &c->row[i];
		const int side = row->numbers.of[0].n > 0 ? 1 : 0;

		comparison_reason_add(report, &reason, row->numbers.result, c->side[side]->label,
				      row->why[side]);
		put_row(report_add_inner(report, &row_type), row);
	}
	comparison_reason_flush(report, &reason);
}

static void note(struct report *report, const struct contest *c,
		 void (*add)(struct strbuf *out, const struct contest *c))
{
	struct strbuf text;

	strbuf_init(&text);
	add(&text, c);
	report_note(report, text.text);
	strbuf_done(&text);
}

int contest_check(const struct report_selection *s, struct err *err)
{
	return report_select_check(s, &row_type, err);
}

void contest_add(struct report *report, const struct contest *c, const struct report_selection *s)
{
	struct runs_inner inner[2];
	struct report_record *r;
	size_t rows;

	for (int k = 0; k < 2; k++)
		inner[k] = runs_add_inner(c->side[k]->runs, report);
	note(report, c, note_head);
	rows = report->n;
	add_rows(report, c);
	report_select(report, s);
	note(report, c, note_foot);
	r = report_add(report, &type);
	put_all(r, c, inner);
	record_records(r, "rows", rows, report->n - 1);
}

/* ---- contest ---- */

/* Returns the number of each run, NaN where it is unknown. The caller frees it. */
static double *copy_numbers(const struct runs *r, const struct run_measure *m)
{
	double *number = xcalloc(r->n + 1, sizeof *number);

	for (size_t i = 0; i < r->n; i++)
		number[i] = value_known(m->value[i]) ? m->value[i].number : NAN;
	return number;
}

static void compare_measure(struct contest_row *row, const struct contest *c, size_t i,
			    const struct run_measure *other)
{
	const struct runs *a = c->side[0]->runs, *b = c->side[1]->runs;
	const size_t k = (size_t)(other - b->measure);
	double *x = copy_numbers(a, &a->measure[i]), *y = copy_numbers(b, other);

	*row = (struct contest_row){.measure = &a->measure[i],
				    .why = {runs_worst(a, i).quality, runs_worst(b, k).quality}};
	(c->is_paired ? statistics_of_pairs : statistics_of_runs)(
		&row->numbers, (struct statistics_numbers[]){{x, a->n, 1}, {y, b->n, 1}});
	free(x);
	free(y);
}

/* Corrects the p-values of all rows but the first, which is tested on its own. */
static void correct_chances(struct contest *c)
{
	double *chance = xcalloc(c->n + 1, sizeof *chance);

	for (size_t i = 1; i < c->n; i++)
		chance[i - 1] = c->row[i].numbers.chance;
	if (c->n)
		variation_correct_p(chance, c->n - 1);
	for (size_t i = 1; i < c->n; i++)
		statistics_set_chance(&c->row[i].numbers, chance[i - 1]);
	free(chance);
}

void contest_make(struct contest *c, const struct contest_side *a, const struct contest_side *b,
		  bool is_paired)
{
	*c = (struct contest){.side = {a, b}, .is_paired = is_paired};
	c->row = xcalloc(a->runs->n_measures + 1, sizeof *c->row);
	for (size_t i = 0; i < a->runs->n_measures; i++) {
		const struct run_measure *other = runs_find(b->runs, a->runs->measure[i].name);

		if (other)
			compare_measure(&c->row[c->n++], c, i, other);
	}
	correct_chances(c);
}

void contest_done(struct contest *c)
{
	free(c->row);
	*c = (struct contest){.n = 0};
}

/* Returns the size of the change, in %; infinite if the first mean is 0. */
static double size_of(const struct contest_row *row)
{
	return isnan(row->numbers.change_pct) ? INFINITY : fabs(row->numbers.change_pct);
}

static int compare_sizes(const void *x, const void *y)
{
	const struct contest_row *const *a = x, *const *b = y;
	const double first = size_of(*a), second = size_of(*b);

	if (first != second)
		return first > second ? -1 : 1;
	return strcmp((*a)->measure->name, (*b)->measure->name);
}

size_t contest_reasons(const struct contest *c, const struct contest_row **row)
{
	size_t n = 0;

	for (size_t i = 1; i < c->n; i++) {
		if (difference_is_found(c->row[i].numbers.result))
			row[n++] = &c->row[i];
	}
	array_sort(row, n, sizeof *row, compare_sizes);
	return n;
}

bool contest_is_tested(const struct contest *c)
{
	for (size_t i = 1; i < c->n; i++)
		if (!isnan(c->row[i].numbers.chance))
			return true;
	return false;
}

int contest_winner(const struct contest *c)
{
	if (c->n && c->row[0].numbers.result == DIFFERENCE_MORE)
		return 0;
	return c->n && c->row[0].numbers.result == DIFFERENCE_LESS ? 1 : -1;
}
