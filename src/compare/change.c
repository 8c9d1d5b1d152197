/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "compare/change.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/lookup.h"
#include "base/mem.h"
#include "base/significance.h"
#include "base/strbuf.h"
#include "compare/saved_report.h"

/* ---- lines ----
 *
 * The output; doc/compare.md has the fields.
 */

#define MEAN .csv_digits = 3, .width = 10, .digits = 2, .style = REPORT_ROUND
#define PCT  .csv_digits = 3, .width = 9, .digits = 1, .unit = "%"

/* clang-format off */
/* The first column exists only with a selection: JSON then has these rows, too. */
static const struct report_column flat_columns[] = {
	{.id = "type"},
	{.csv = "name", .role = REPORT_IS_NAME},
	{.csv = "kind", .role = REPORT_IS_KIND},
	{.csv = "caller", .role = REPORT_IS_CALLER},
	{.title = "#", .width = -12, .indent = 4},
	{.csv = "phase", .role = REPORT_IS_KIND},
	{.csv = "unit"},
	{.csv = "n_a"},
	{.csv = "mean_a", .title = "MEAN A", MEAN, .role = REPORT_IS_MEAN, .amount = "a"},
	{.csv = "stddev_a", .title = "SD A", MEAN, .role = REPORT_IS_SD, .amount = "a"},
	{.csv = "n_b"},
	{.csv = "mean_b", .title = "MEAN B", MEAN, .role = REPORT_IS_MEAN, .amount = "b"},
	{.csv = "stddev_b", .title = "SD B", MEAN, .role = REPORT_IS_SD, .amount = "b"},
	{.csv = "change_pct", .title = "CHANGE", .sign = true, PCT, .role = REPORT_IS_CHANGE},
	{.csv = "margin_pct", .title = "+-", PCT, .role = REPORT_IS_MARGIN},
	{.csv = "all_change", .csv_digits = 3},
	{.csv = "all_margin", .csv_digits = 3},
};

/* The members of a difference, which is a group in JSON. */
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
/* The type of lines for amounts that occurred on neither side: these lines are in CSV, but not in
 * text. */
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
	if (isnan(row->total.difference)) {
		strbuf_addch(out, '-');
		return;
	}
	strbuf_addf(out, time ? "%+.3f" : "%+.0f",
		    time ? row->total.difference / 1e6 : row->total.difference);
	if (!isnan(row->total.margin))
		strbuf_addf(out, time ? " +- %.3f" : " +- %.0f",
			    time ? row->total.margin / 1e6 : row->total.margin);
	strbuf_addch(out, ' ');
	text_add(out, time ? "ms" : c->unit_of_all);
}

static void note_row(const struct saved_change *c, struct strbuf *out,
		     const struct saved_change_row *row)
{
	const struct saved_entry *e = names_of(row);

	text_add(out, saved_name(e));
	if (c->key_id[1]) {
		strbuf_addstr(out, " (");
		text_add(out, *e->key[1] ? e->key[1] : "-");
		strbuf_addch(out, ')');
	}
	if (c->key_id[2]) {
		strbuf_addstr(out, ", acquired by ");
		text_add(out, *e->key[2] ? e->key[2] : "-");
	}
	note_all(c, out, row);
	if (!row->entry[0] || !row->entry[1])
		strbuf_addf(out, ", in %s only", row->entry[0] ? "A" : "B");
	strbuf_addch(out, '\n');
}

static bool has_margins(const struct saved_change *c)
{
	return c->side[0]->n >= VARIATION_LEAST && c->side[1]->n >= VARIATION_LEAST;
}

/* Appends the amounts that are counts, beside others that are times: ", user and kernel are cycles
 * of each". */
static void note_counts(const struct saved_change *c, struct strbuf *out)
{
	const char *unit = NULL;
	size_t n = 0;

	for (size_t i = 0; i < c->n_amounts; i++) {
		const struct saved_amount *a = &c->amount[i];

		if (!a->unit || is_time(a->unit))
			continue;
		strbuf_addstr(out, n++ ? " and " : ", ");
		text_add(out, a->name);
		unit = a->unit;
	}
	if (!n)
		return;
	strbuf_addstr(out, n > 1 ? " are " : " is ");
	text_add(out, unit);
	strbuf_addstr(out, " of each");
}

static void note_units(const struct saved_change *c, struct strbuf *out)
{
	if (is_time(c->unit_of_all)) {
		strbuf_addstr(out, "# Times of each are in ns");
		note_counts(c, out);
	} else {
		strbuf_addstr(out, "# Numbers are ");
		text_add(out, c->type->is_follow ? "counts" : c->unit_of_all);
		strbuf_addstr(out, " of each");
	}
	if (!c->several)
		strbuf_addstr(out, "; +- is what as many independent calls would differ by, and no "
				   "more is known of two runs.\n");
	else
		strbuf_addf(out,
			    "; means of runs, how these differ, and +-, by what they would "
			    "differ if nothing had changed%s.\n",
			    has_margins(c) ? "" : ", of which less than 3 of a side say nothing");
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

/* --- lines of text and CSV: one for each difference --- */

static void put_line(struct report_record *r, const struct saved_change *c,
		     const struct saved_change_row *row, const char *name, const char *phase,
		     const char *unit, const struct statistics *d)
{
	const struct saved_entry *e = names_of(row);

	if (r->type == &flat_type)
		record_textf(r, "type", "%s_change", c->type->line);
	for (int i = 0; i < REPORT_KEYS; i++)
		record_text(r, "", e->key[i]);
	record_text(r, "", name);
	record_text(r, "", phase);
	record_text(r, "", unit);
	statistics_put(r, d);
	record_number(r, "", row->total.difference);
	record_number(r, "", row->total.margin);
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

/* Adds the lines of a row. flat: with a selection (flat_columns). */
static void add_lines(struct report *report, const struct saved_change *c,
		      const struct saved_change_row *row, bool flat)
{
	const struct report_type *type = flat ? &flat_type : &line_type;

	add_section(report, c, row, note_row);
	put_line(report_add(report, type), c, row, c->type->did, c->type->count, "", &row->count);
	add_section(report, c, row, note_contended);
	for (size_t i = 0; i < c->n_amounts; i++) {
		const struct statistics *d = &row->amount[i];
		const char *name = c->amount[i].name;
		const bool any = d->of[0].n > 0 || d->of[1].n > 0;

		if (c->amount[i].unit)
			put_line(report_add(report, any || flat ? type : &csv_line_type), c, row,
				 name, name, c->amount[i].unit, d);
	}
}

/* --- objects of JSON: one for each row --- */

static void add_difference_columns(struct report_own_type *t, const char *id)
{
	const size_t group = report_own_type_add(t, (struct report_column){.id = id});

	for (size_t i = 0; i < N_DIFFERENCE_COLUMNS; i++)
		report_own_type_add(t, difference_columns[i]);
	report_own_type_group(t, group);
}

static void make_row_type(struct report_own_type *t, const struct saved_change *c)
{
	const char *const ids[] = {"type", "name", c->key_id[1], c->key_id[2], "a",
				   "b",    "unit", "change",     "margin"};

	report_own_type_init(t, NULL, 0);
	for (size_t i = 0; i < sizeof ids / sizeof *ids; i++)
		if (ids[i])
			report_own_type_add(t, (struct report_column){.id = ids[i]});
	add_difference_columns(t, c->type->count);
	for (size_t i = 0; i < c->n_amounts; i++)
		if (c->amount[i].unit)
			add_difference_columns(t, c->amount[i].name);
}

static void put_difference(struct report_record *r, const char *id, const char *unit,
			   const struct statistics *d)
{
	record_group(r, id);
	record_text(r, "unit", unit);
	statistics_put(r, d);
}

static void put_row(struct report_record *r, const struct saved_change *c,
		    const struct saved_change_row *row)
{
	const struct saved_entry *e = names_of(row);

	record_textf(r, "type", "%s_change", c->type->line);
	for (int i = 0; i < REPORT_KEYS; i++)
		if (!i || c->key_id[i])
			record_text(r, i ? c->key_id[i] : "name", e->key[i]);
	record_text(r, "a", row->entry[0] ? c->side[0]->what : NULL);
	record_text(r, "b", row->entry[1] ? c->side[1]->what : NULL);
	record_text(r, "unit", c->unit_of_all);
	record_number(r, "change", row->total.difference);
	record_number(r, "margin", row->total.margin);
	put_difference(r, c->type->count, NULL, &row->count);
	for (size_t i = 0; i < c->n_amounts; i++)
		if (c->amount[i].unit)
			put_difference(r, c->amount[i].name, c->amount[i].unit, &row->amount[i]);
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

/* ---- saved runs ---- */

static int read_one(void *context, const char *path, struct err *err)
{
	struct saved_runs *r = context;

	r->run = xgrow(r->run, &r->cap, r->n + 1, sizeof *r->run);
	return saved_read(&r->run[r->n++], path, r->event, err);
}

int saved_runs_read(struct saved_runs *r, const char *word, const char *event, struct err *err)
{
	*r = (struct saved_runs){.what = word, .event = event};
	return saved_word_visit(word, read_one, r, err);
}

void saved_runs_done(struct saved_runs *r)
{
	for (size_t i = 0; i < r->n; i++)
		saved_done(&r->run[i]);
	free(r->run);
	*r = (struct saved_runs){.n = 0};
}

/* ---- change ---- */

/* An entry of a run. A group has the members whose entries have the same keys. */
struct member {
	const struct saved *run;
	const struct saved_entry *entry;
	int side;
};

struct group {
	const struct saved_change *c;
	const struct member *member;
	size_t n;
	double *number[2]; /* of each side: room for a number of each run */
};

/* --- numbers of a side, one for each run --- */

/* Returns an amount of a member; NULL: it has none. */
static const struct moments *amount_of(const struct group *g, const struct member *m, size_t i)
{
	return m ? saved_amount_of(m->entry, saved_find_amount(m->run, g->c->amount[i].name))
		 : NULL;
}

/* Returns the mean of an amount; NaN: unknown. */
static double mean_of(const struct group *g, const struct member *m, size_t amount)
{
	const struct moments *a = amount_of(g, m, amount);

	return a && a->n > 0 ? a->mean : (double)NAN;
}

static double count_of(const struct group *g, const struct member *m, size_t amount)
{
	(void)g;
	(void)amount;
	return m->entry->count;
}

/* Returns the total of the amounts in the unit of the first common amount. */
static double sum_of(const struct group *g, const struct member *m, size_t amount)
{
	const struct saved_change *c = g->c;
	double sum = 0;

	(void)amount;
	for (size_t i = 0; i < c->n_amounts; i++) {
		const char *unit = c->amount[i].unit;
		const struct moments *a = amount_of(g, m, i);

		if (unit && !strcmp(unit, c->unit_of_all) && a && a->n > 0)
			sum += a->n * a->mean;
	}
	return sum;
}

/* Returns the numbers of all runs of a side; a run without the entry has the number `none`. */
static struct statistics_numbers
list_numbers(const struct group *g, int side, size_t amount,
	     double (*number_of)(const struct group *g, const struct member *m, size_t amount),
	     double none)
{
	const struct saved_runs *runs = g->c->side[side];
	double *number = g->number[side];

	for (size_t i = 0; i < runs->n; i++)
		number[i] = none;
	for (size_t i = 0; i < g->n; i++)
		if (g->member[i].side == side)
			number[g->member[i].run - runs->run] = number_of(g, &g->member[i], amount);
	return (struct statistics_numbers){number, runs->n, 1};
}

/* If one number is unknown, all are. */
static struct statistics_numbers known_or_none(struct statistics_numbers of)
{
	for (size_t i = 0; i < of.n; i++)
		if (isnan(of.number[i]))
			of.n = 0;
	return of;
}

/* --- of both sides --- */

/* Returns a member of a side; NULL: it has none. */
static const struct member *find(const struct group *g, int side)
{
	for (size_t i = 0; i < g->n; i++)
		if (g->member[i].side == side)
			return &g->member[i];
	return NULL;
}

/* Compares sums, which are 0 in runs without the entry. */
static void compare_sums(struct statistics *s, const struct group *g,
			 double (*sum)(const struct group *g, const struct member *m,
				       size_t amount))
{
	statistics_of_runs(
		s, (struct statistics_numbers[]){known_or_none(list_numbers(g, 0, 0, sum, 0)),
						 known_or_none(list_numbers(g, 1, 0, sum, 0))});
}

/* Compares the calls of single runs, or the means of several runs. */
static void compare_amount(struct statistics *s, const struct group *g, size_t i)
{
	if (g->c->several)
		statistics_of_runs(
			s, (struct statistics_numbers[]){list_numbers(g, 0, i, mean_of, NAN),
							 list_numbers(g, 1, i, mean_of, NAN)});
	else
		statistics_of_moments(s,
				      (const struct moments *const[]){amount_of(g, find(g, 0), i),
								      amount_of(g, find(g, 1), i)});
}

static double contended_pct(const struct group *g, int side)
{
	double count = 0, contended = 0;

	for (size_t i = 0; i < g->n; i++)
		if (g->member[i].side == side) {
			count += g->member[i].entry->count;
			contended += g->member[i].entry->contended;
		}
	return count > 0 ? 100 * contended / count : (double)NAN;
}

static void make_row(const struct group *g, struct saved_change_row *row)
{
	for (int side = 0; side < 2; side++) {
		const struct member *m = find(g, side);

		row->entry[side] = m ? m->entry : NULL;
		row->contended_pct[side] = contended_pct(g, side);
	}
	compare_sums(&row->count, g, count_of);
	compare_sums(&row->total, g, sum_of);
	row->amount = xcalloc(g->c->n_amounts + 1, sizeof *row->amount);
	for (size_t i = 0; i < g->c->n_amounts; i++)
		compare_amount(&row->amount[i], g, i);
}

static int compare_members(const void *a, const void *b)
{
	const struct member *x = a, *y = b;
	const int order = saved_compare(x->entry, y->entry);

	return order ? order : x->side - y->side;
}

/* Sorts by the size of the change, the largest first; unknown changes come last. */
static int compare_rows(const void *a, const void *b)
{
	const struct saved_change_row *x = a, *y = b;
	const double p = isnan(x->total.difference) ? -1 : fabs(x->total.difference);
	const double q = isnan(y->total.difference) ? -1 : fabs(y->total.difference);

	if (p != q)
		return p < q ? 1 : -1;
	return saved_compare(x->entry[x->entry[0] ? 0 : 1], y->entry[y->entry[0] ? 0 : 1]);
}

/* Lists the entries of all runs, sorted, so that equal ones are adjacent. Returns their number. */
static size_t list_members(const struct saved_change *c, struct member **out)
{
	size_t n = 0, cap = 0;

	for (int side = 0; side < 2; side++)
		for (size_t i = 0; i < c->side[side]->n; i++) {
			const struct saved *run = &c->side[side]->run[i];

			*out = xgrow(*out, &cap, n + run->n + 1, sizeof **out);
			for (size_t k = 0; k < run->n; k++)
				(*out)[n++] = (struct member){run, &run->entry[k], side};
		}
	array_sort(*out, n, sizeof **out, compare_members);
	return n;
}

static void make_rows(struct saved_change *c)
{
	struct member *member = NULL;
	const size_t n = list_members(c, &member);
	struct group g = {.c = c};

	for (int side = 0; side < 2; side++)
		g.number[side] = xcalloc(n + c->side[side]->n, sizeof *g.number[side]);
	c->row = xcalloc(n + 1, sizeof *c->row);
	for (size_t i = 0; i < n; i += g.n) {
		g.member = &member[i];
		for (g.n = 1;
		     i + g.n < n && !saved_compare(g.member->entry, member[i + g.n].entry);)
			g.n++;
		make_row(&g, &c->row[c->n++]);
	}
	array_sort(c->row, c->n, sizeof *c->row, compare_rows);
	free(g.number[0]);
	free(g.number[1]);
	free(member);
}

static int check_run(const struct saved_change *c, const struct saved *run, struct err *err)
{
	const struct saved *first = &c->side[0]->run[0];

	if (run->type == c->type)
		return 0;
	return err_set(err, EINVAL,
		       "'%s' is a report of %s, and '%s' of %s: they cannot be compared",
		       first->path, c->type->of, run->path, run->type->of);
}

/* Drops the units that this run does not have. */
static void drop_other_units(struct saved_change *c, const struct saved *run)
{
	for (size_t i = 0; i < c->n_amounts; i++) {
		struct saved_amount *a = &c->amount[i];
		const size_t k = saved_find_amount(run, a->name);
		const char *unit = k < run->n_amounts ? run->amount[k].unit : NULL;

		if (a->unit && (!unit || strcmp(a->unit, unit) != 0))
			a->unit = NULL;
	}
}

int saved_change_make(struct saved_change *c, const struct saved_runs *a,
		      const struct saved_runs *b, struct err *err)
{
	const struct saved *first = &a->run[0];
	int ret = 0;

	*c = (struct saved_change){
		.side = {a, b}, .several = a->n > 1 || b->n > 1, .type = first->type};
	c->key_id = (const char *const *)first->key_id;
	c->amount = xcalloc(first->n_amounts + 1, sizeof *c->amount);
	for (c->n_amounts = 0; c->n_amounts < first->n_amounts; c->n_amounts++)
		c->amount[c->n_amounts] = first->amount[c->n_amounts];
	for (int side = 0; side < 2; side++)
		for (size_t i = 0; i < c->side[side]->n && !ret; i++) {
			ret = check_run(c, &c->side[side]->run[i], err);
			drop_other_units(c, &c->side[side]->run[i]);
		}
	for (size_t i = c->n_amounts; i--;)
		c->unit_of_all = c->amount[i].unit ? c->amount[i].unit : c->unit_of_all;
	if (!ret)
		make_rows(c);
	return ret;
}

void saved_change_done(struct saved_change *c)
{
	for (size_t i = 0; i < c->n; i++)
		free(c->row[i].amount);
	free(c->row);
	free(c->amount);
	*c = (struct saved_change){.n = 0};
}
