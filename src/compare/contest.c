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

/* clang-format off */
static const struct sides_column row_columns[] = {
	{{.title = "MEASURE", .width = -16, .place = -1}, NULL},
	{{.id = "measure", .csv = "measure", .role = REPORT_IS_NAME}, NULL},
	{{.id = "unit", .csv = "unit"}, NULL},
	{{.id = "mean_a", .csv = "mean_a", .title = "MEAN A", NUMBER, .role = REPORT_IS_MEAN, .amount = "a"}, NULL},
	{{.id = "sd_a", .csv = "sd_a", .title = "SD A", NUMBER, .role = REPORT_IS_SD, .amount = "a"}, NULL},
	{{.id = "mean_b", .csv = "mean_b", .title = "MEAN B", NUMBER, .role = REPORT_IS_MEAN, .amount = "b"}, "MEAN"},
	{{.id = "sd_b", .csv = "sd_b", .title = "SD B", NUMBER, .role = REPORT_IS_SD, .amount = "b"}, "SD"},
	{{.id = "rounds", .csv = "rounds", .title = "N", .width = 2, .place = -1}, SIDES_NO_TITLE},
	{{.id = "difference", .csv = "difference", NUMBER}, NULL},
	{{.id = "margin", .csv = "margin", NUMBER}, NULL},
	{{.id = "change_pct", .csv = "change_pct", .title = "CHANGE", .width = 7, .sign = true, PCT,
	 .role = REPORT_IS_CHANGE}, NULL},
	{{.id = "margin_pct", .csv = "margin_pct", .title = "+-", .width = 5, PCT, .role = REPORT_IS_MARGIN}, NULL},
	{{.id = "chance", .csv = "chance", .title = "P", .width = 5, .digits = 3}, NULL},
	SIDES_RESULT_COLUMNS,
};

/* The columns of the whole record, before those of its sides, and of each side. */
static const struct report_column columns[] = {
	{.id = "type"}, {.id = "schema"}, {.id = "confidence"}, {.id = "faster"}};
static const struct report_column side_columns[] = {
	{.id = "command"}, {.id = "runs", .members = RUNS_MEMBERS}, RUNS_COLUMNS};
/* clang-format on */

#define N_ROW_COLUMNS  (sizeof row_columns / sizeof *row_columns)
#define N_COLUMNS      (sizeof columns / sizeof *columns)
#define N_SIDE_COLUMNS (sizeof side_columns / sizeof *side_columns)

/* Returns the type of the rows, which the caller owns. any: there are some; without common
 * measures, text has no table, but CSV has its header. */
static struct report_own_type *make_row_type(size_t n_sides, bool any)
{
	struct report_own_type *t = xcalloc(1, sizeof *t);

	report_own_type_init(t, NULL, 0);
	if (any)
		report_own_type_table(t, NULL);
	sides_declare_rows(t, n_sides, row_columns, N_ROW_COLUMNS);
	return t;
}

/* --- sentences, for people --- */

/* The numbers from which the change is computed. */
static const char *const order_name[] = {"means", "pairs", "rounds"};

/* How the runs belong together: the sentence for two sides, and for more. */
static const char *const order_text[][2] = {
	[CONTEST_APART] = {"All runs are independent;", "All runs are independent;"},
	[CONTEST_PAIRED] = {"The runs are N pairs;", "The runs are pairs;"},
	[CONTEST_IN_TURNS] = {"Both ran in turns, N rounds;", "All ran in turns;"},
};

static void note_side(struct strbuf *out, const struct contest *c, size_t side)
{
	strbuf_addf(out, "%s  ", side_label[side]);
	text_add(out, c->side[side].what);
	strbuf_addstr(out, ": ");
	runs_add_ends(out, c->side[side].runs);
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

/* Returns the first row of a side; NULL: it has none. */
static const struct contest_row *time_of(const struct contest *c, size_t side)
{
	for (size_t i = 0; i < c->n; i++)
		if (c->row[i].side == side && c->row[i].is_time)
			return &c->row[i];
	return NULL;
}

static void note_winner(struct strbuf *out, const struct contest *c, const struct contest_row *row)
{
	const char *a = side_label[0], *b = side_label[row->side];
	const bool is_many = c->n_sides > 2, less = row->numbers.result == DIFFERENCE_LESS;

	if (difference_is_found(row->numbers.result))
		strbuf_addf(out, "%s is faster%s%s: %s takes ", less ? b : a,
			    is_many ? " than " : "",
			    !is_many ? ""
			    : less   ? a
				     : b,
			    less ? "it" : b);
	else if (row->numbers.result == DIFFERENCE_FEW)
		strbuf_addf(out, "too few %s to find a difference (--repeat %d): %s takes ",
			    c->order == CONTEST_APART ? "runs" : order_name[c->order],
			    VARIATION_LEAST, b);
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

static void note_reasons(struct strbuf *out, const struct contest *c,
			 const struct contest_row *time)
{
	const struct contest_row **row = xcalloc(c->n + 1, sizeof *row);
	const size_t n = contest_reasons(c, time->side, row);
	const char *label = side_label[time->side];
	const bool is_many = c->n_sides > 2;

	if (!n)
		strbuf_addf(out, "nothing else%s%s differs by more than noise",
			    is_many ? " of " : "", is_many ? label : "");
	else
		strbuf_addf(out, "what %sdiffers: %s has",
			    difference_is_found(time->numbers.result) ? "else " : "", label);
	for (size_t i = 0; i < n && i < REASONS_MAX; i++)
		add_reason(out, row[i], i ? "," : "");
	if (n > REASONS_MAX)
		strbuf_addf(out, " and %zu more that differ", n - REASONS_MAX);
	strbuf_addch(out, '\n');
	free(row);
}

static void note_outliers(struct strbuf *out, const struct contest *c, size_t side)
{
	const struct runs *runs = c->side[side].runs;
	char before[16];

	snprintf(before, sizeof before, "%s: ", side_label[side]);
	for (size_t i = 0; i < runs->n_measures; i++)
		runs_add_outliers(out, runs, i, before);
}

static void note_head(struct strbuf *out, const struct contest *c)
{
	for (size_t k = 0; k < c->n_sides; k++)
		note_side(out, c, k);
	if (!c->n)
		return;
	strbuf_addch(out, '\n');
	for (size_t k = 1; k < c->n_sides; k++) {
		const struct contest_row *time = time_of(c, k);

		if (time)
			note_winner(out, c, time);
		if (time && contest_is_tested(c, k))
			note_reasons(out, c, time);
	}
	strbuf_addch(out, '\n');
}

static void note_foot(struct strbuf *out, const struct contest *c)
{
	const bool is_many = c->n_sides > 2;

	if (!c->n)
		return;
	strbuf_addf(
		out,
		"\n%s CHANGE is computed from the %s, and is within\n+- of the true change in %g "
		"of "
		"100 cases. P is the chance of such a change among\nequal commands: below %.2g, "
		"CHANGE is called more or less. %s (Holm).\n",
		order_text[c->order][is_many], order_name[c->order], 100 * VARIATION_CONFIDENCE,
		1 - VARIATION_CONFIDENCE,
		is_many ? "P of the times is\ncorrected for their number, P of all other rows for "
			  "theirs"
			: "P of each row\nbut the first is corrected for the number of these rows");
	for (size_t k = 0; k < c->n_sides; k++)
		note_outliers(out, c, k);
}

/* --- records --- */

static void put_row(struct report_record *r, const struct contest *c, const struct contest_row *row)
{
	const struct run_measure *m = row->measure;

	record_textf(r, "", m->unit == UNIT_COUNT ? "%s" : "%s, %s", m->name,
		     unit_table[m->unit].name);
	record_text(r, "measure", m->name);
	record_text(r, "unit", unit_table[m->unit].name);
	statistics_put(r, &row->numbers);
	sides_put_result(r, row->numbers.result);
	sides_put_side(r, c->n_sides, row->side);
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
		    const struct runs_inner inner[SIDES_MAX])
{
	const int winner = contest_winner(c);

	record_text(r, "type", "contest");
	record_count(r, "schema", SCHEMA);
	record_number(r, "confidence", VARIATION_CONFIDENCE);
	record_text(r, "faster", winner < 0 ? NULL : side_id[winner]);
	for (size_t k = 0; k < c->n_sides; k++)
		put_side(r, side_id[k], &c->side[k], inner[k]);
}

static struct report_own_type *make_type(const struct contest *c)
{
	struct report_own_type *t = xcalloc(1, sizeof *t);

	report_own_type_init(t, columns, N_COLUMNS);
	sides_declare_groups(t, c->n_sides, side_columns, N_SIDE_COLUMNS);
	report_own_type_add(t, (struct report_column){.id = "rows"});
	return t;
}

static void add_rows(struct report *report, const struct report_type *type, const struct contest *c)
{
	struct side_reason reason = {NULL, QUALITY_EXACT};

	report_heading(report, type);
	for (size_t i = 0; i < c->n; i++) {
		const struct contest_row *row = &c->row[i];
		const int side = row->numbers.of[0].n > 0 ? 1 : 0;

		side_reason_add(report, &reason, row->numbers.result,
				side_label[side ? row->side : 0], row->why[side]);
		put_row(report_add_inner(report, type), c, row);
	}
	side_reason_flush(report, &reason);
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

int contest_check(const struct report_selection *s, size_t n_sides, struct err *err)
{
	struct report_own_type *t = make_row_type(n_sides, true);
	const int ret = report_select_check(s, &t->type, err);

	report_own_type_done(t);
	free(t);
	return ret;
}

void contest_add(struct report *report, const struct contest *c, const struct report_selection *s)
{
	struct report_own_type *type = make_type(c), *row_type = make_row_type(c->n_sides, c->n);
	struct runs_inner inner[SIDES_MAX];
	struct report_record *r;
	size_t rows;

	for (size_t k = 0; k < c->n_sides; k++)
		inner[k] = runs_add_inner(c->side[k].runs, report);
	note(report, c, note_head);
	rows = report->n;
	add_rows(report, &row_type->type, c);
	report_select(report, s);
	note(report, c, note_foot);
	r = report_add(report, &type->type);
	put_all(r, c, inner);
	record_records(r, "rows", rows, report->n - 1);
	report_own(report, type);
	report_own(report, row_type);
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

static void compare_measure(struct contest_row *row, const struct contest *c, size_t i, size_t side,
			    const struct run_measure *other)
{
	const struct runs *a = c->side[0].runs, *b = c->side[side].runs;
	const size_t k = (size_t)(other - b->measure);
	double *x = copy_numbers(a, &a->measure[i]), *y = copy_numbers(b, other);

	*row = (struct contest_row){.measure = &a->measure[i],
				    .side = side,
				    .is_time = !time_of(c, side),
				    .why = {runs_worst(a, i).quality, runs_worst(b, k).quality}};
	(c->order == CONTEST_APART ? statistics_of_runs : statistics_of_pairs)(
		&row->numbers, (struct statistics_numbers[]){{x, a->n, 1}, {y, b->n, 1}});
	free(x);
	free(y);
}

/* Corrects the p-values of the times, or of all other rows. */
static void correct_chances(struct contest *c, bool of_times)
{
	double *chance = xcalloc(c->n + 1, sizeof *chance);

	for (size_t i = 0; i < c->n; i++)
		chance[i] = c->row[i].is_time == of_times ? c->row[i].numbers.chance : (double)NAN;
	variation_correct_p(chance, c->n);
	for (size_t i = 0; i < c->n; i++)
		if (c->row[i].is_time == of_times)
			statistics_set_chance(&c->row[i].numbers, chance[i]);
	free(chance);
}

void contest_make(struct contest *c, const struct contest_side *side, size_t n_sides,
		  enum contest_order order)
{
	const struct runs *a = side[0].runs;

	*c = (struct contest){.side = side, .n_sides = n_sides, .order = order};
	c->row = xcalloc(a->n_measures * (n_sides - 1) + 1, sizeof *c->row);
	for (size_t i = 0; i < a->n_measures; i++)
		for (size_t k = 1; k < n_sides; k++) {
			const struct run_measure *other =
				runs_find(side[k].runs, a->measure[i].name);

			if (!other)
				continue;
			compare_measure(&c->row[c->n], c, i, k, other);
			c->n++;
		}
	correct_chances(c, true);
	correct_chances(c, false);
}

void contest_done(struct contest *c)
{
	free(c->row);
	*c = (struct contest){.n = 0};
}

static bool is_reason_of(const struct contest_row *row, size_t side)
{
	return row->side == side && !row->is_time;
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

size_t contest_reasons(const struct contest *c, size_t side, const struct contest_row **row)
{
	size_t n = 0;

	for (size_t i = 0; i < c->n; i++)
		if (is_reason_of(&c->row[i], side) && difference_is_found(c->row[i].numbers.result))
			row[n++] = &c->row[i];
	array_sort(row, n, sizeof *row, compare_sizes);
	return n;
}

bool contest_is_tested(const struct contest *c, size_t side)
{
	for (size_t i = 0; i < c->n; i++)
		if (is_reason_of(&c->row[i], side) && !isnan(c->row[i].numbers.chance))
			return true;
	return false;
}

int contest_winner(const struct contest *c)
{
	const struct contest_row *best = NULL;
	size_t n_more = 0;

	for (size_t k = 1; k < c->n_sides; k++) {
		const struct contest_row *time = time_of(c, k);
		const enum difference_result result =
			time ? time->numbers.result : DIFFERENCE_UNKNOWN;

		n_more += result == DIFFERENCE_MORE;
		if (result == DIFFERENCE_LESS &&
		    (!best || time->numbers.of[1].mean < best->numbers.of[1].mean))
			best = time;
	}
	return best ? (int)best->side : n_more + 1 == c->n_sides ? 0 : -1;
}
