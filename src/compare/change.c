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
static const struct sides_column flat_columns[] = {
	{{.id = "type"}, NULL},
	{{.csv = "name", .role = REPORT_IS_NAME}, NULL},
	{{.csv = "kind", .role = REPORT_IS_KIND}, NULL},
	{{.csv = "caller", .role = REPORT_IS_CALLER}, NULL},
	{{.title = "#", .width = -12, .indent = 4, .place = -1}, NULL},
	{{.csv = "phase", .role = REPORT_IS_KIND}, NULL},
	{{.csv = "unit"}, NULL},
	{{.csv = "n_a"}, NULL},
	{{.csv = "mean_a", .title = "MEAN A", MEAN, .role = REPORT_IS_MEAN, .amount = "a"}, NULL},
	{{.csv = "stddev_a", .title = "SD A", MEAN, .role = REPORT_IS_SD, .amount = "a"}, NULL},
	{{.csv = "n_b"}, NULL},
	{{.csv = "mean_b", .title = "MEAN B", MEAN, .role = REPORT_IS_MEAN, .amount = "b"}, "MEAN"},
	{{.csv = "stddev_b", .title = "SD B", MEAN, .role = REPORT_IS_SD, .amount = "b"}, "SD"},
	{{.csv = "change_pct", .title = "CHANGE", .sign = true, PCT, .role = REPORT_IS_CHANGE}, NULL},
	{{.csv = "margin_pct", .title = "+-", PCT, .role = REPORT_IS_MARGIN}, NULL},
	{{.csv = "all_change", .csv_digits = 3}, NULL},
	{{.csv = "all_margin", .csv_digits = 3}, NULL},
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

/* Returns the type of lines, which the caller owns. flat: with a selection. in_text: false for
 * amounts that occurred on neither side: these lines are in CSV, but not in text. */
static struct report_own_type *make_line_type(size_t n_sides, bool flat, bool in_text)
{
	struct report_own_type *t = xcalloc(1, sizeof *t);

	report_own_type_init(t, NULL, 0);
	if (in_text)
		report_own_type_table(t, NULL);
	sides_declare_rows(t, n_sides, flat_columns + !flat, N_FLAT_COLUMNS - !flat);
	/* Lines have no ids, as JSON has an object for each row instead. */
	for (size_t i = 1; i < t->type.n; i++)
		t->column[i].id = NULL;
	return t;
}

static const struct saved_entry *names_of(const struct saved_change_row *row)
{
	return row->entry[row->entry[0] ? 0 : 1];
}

static bool is_time(const char *unit)
{
	return unit && !strcmp(unit, "ns");
}

/* --- sentences, for people --- */

/* The rows of one entry. */
struct entry_rows {
	const struct saved_change_row *row;
	size_t n;
};

static void add_contended(struct strbuf *out, size_t side, double pct)
{
	strbuf_addf(out, "  %s ", side_label[side]);
	if (isnan(pct))
		strbuf_addch(out, '-');
	else
		strbuf_addf(out, "%.1f %%", pct);
}

static void note_contended(const struct saved_change *c, struct strbuf *out,
			   const struct entry_rows *rows)
{
	bool any = !isnan(rows->row->contended_pct[0]);

	(void)c;
	for (size_t i = 0; i < rows->n; i++)
		any = any || !isnan(rows->row[i].contended_pct[1]);
	if (!any)
		return;
	strbuf_addstr(out, "    contended");
	add_contended(out, 0, rows->row->contended_pct[0]);
	for (size_t i = 0; i < rows->n; i++)
		add_contended(out, rows->row[i].side, rows->row[i].contended_pct[1]);
	strbuf_addch(out, '\n');
}

static void note_all(const struct saved_change *c, struct strbuf *out,
		     const struct saved_change_row *row)
{
	const bool time = is_time(c->unit_of_all);

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

/* Appends the change of a row, and whether only one of its sides has the entry. */
static void note_change(const struct saved_change *c, struct strbuf *out,
			const struct saved_change_row *row)
{
	const bool is_many = c->n_sides > 2;

	if (is_many)
		strbuf_addf(out, "%s ", side_label[row->side]);
	note_all(c, out, row);
	if (!row->entry[0] || !row->entry[1])
		strbuf_addf(out, "%sin %s only%s", is_many ? " (" : ", ",
			    side_label[row->entry[0] ? 0 : row->side], is_many ? ")" : "");
}

static void note_entry(const struct saved_change *c, struct strbuf *out,
		       const struct entry_rows *rows)
{
	const struct saved_entry *e = names_of(rows->row);

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
	for (size_t i = 0; i < rows->n; i++) {
		strbuf_addstr(out, i ? ", " : ": ");
		note_change(c, out, &rows->row[i]);
	}
	strbuf_addch(out, '\n');
}

static bool has_margins(const struct saved_change *c)
{
	for (size_t i = 0; i < c->n_sides; i++)
		if (c->side[i].n < VARIATION_LEAST)
			return false;
	return true;
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
		strbuf_addf(out,
			    "; +- is the change that chance explains if calls are "
			    "independent; from %s runs, the variation between runs is unknown.\n",
			    c->n_sides > 2 ? "single" : "two");
	else
		strbuf_addf(out,
			    "; means of %s; CHANGE is their difference, +- the change that "
			    "chance explains%s.\n",
			    c->is_paired ? "runs, which are pairs" : "runs",
			    has_margins(c) ? "" : ", unknown below 3 runs of a side");
	if (c->n_sides > 2)
		strbuf_addstr(out, "# VS is the side compared with A; +- is corrected for the "
				   "number of these sides (Holm).\n");
}

static bool is_partial(const struct saved *run)
{
	return run->partial;
}

static bool lacks_end(const struct saved *run)
{
	return run->type->is_follow && !run->has_end;
}

/* Appends a sentence about the sides of which a run is so, if there are any: `before`, "A and B",
 * `after`. */
static void note_sides(const struct saved_change *c, struct strbuf *out,
		       bool (*is_so)(const struct saved *run), const char *before,
		       const char *after)
{
	const char *label[SIDES_MAX];
	size_t n = 0;

	for (size_t side = 0; side < c->n_sides; side++)
		for (size_t i = 0; i < c->side[side].n; i++)
			if (is_so(&c->side[side].run[i])) {
				label[n++] = side_label[side];
				break;
			}
	if (!n)
		return;
	strbuf_addf(out, "# %s", before);
	for (size_t i = 0; i < n; i++)
		strbuf_addf(out, "%s%s", !i ? "" : i + 1 < n ? ", " : " and ", label[i]);
	strbuf_addf(out, "%s.\n", after);
}

/* Notes that numbers are of parts: then a difference may only be that of the parts. */
static void note_parts(const struct saved_change *c, struct strbuf *out)
{
	note_sides(c, out, is_partial, "Counts of ",
		   " are partial: sets of counters took turns, or some threads could not be "
		   "counted");
	note_sides(c, out, lacks_end, "The end of the command is not in ",
		   ": it was cut off, or followed in part");
}

static void note_head(const struct saved_change *c, struct strbuf *out)
{
	for (size_t side = 0; side < c->n_sides; side++) {
		strbuf_addf(out, "# %s  ", side_label[side]);
		text_add(out, c->side[side].what);
		strbuf_addch(out, '\n');
	}
	note_units(c, out);
	note_parts(c, out);
}

/* --- lines of text and CSV: one for each difference --- */

static void put_line(struct report_record *r, const struct saved_change *c,
		     const struct saved_change_row *row, const char *name, const char *phase,
		     const char *unit, const struct statistics *d)
{
	const struct saved_entry *e = names_of(row);

	if (r->type->column[0].id)
		record_textf(r, "type", "%s_change", c->type->line);
	for (int i = 0; i < REPORT_KEYS; i++)
		record_text(r, "", e->key[i]);
	record_text(r, "", name);
	record_text(r, "", phase);
	record_text(r, "", unit);
	statistics_put(r, d);
	record_number(r, "", row->total.difference);
	record_number(r, "", row->total.margin);
	sides_put_side(r, c->n_sides, row->side);
}

static void add_section(struct report *report, const struct saved_change *c,
			const struct entry_rows *rows,
			void (*note)(const struct saved_change *c, struct strbuf *out,
				     const struct entry_rows *rows))
{
	struct strbuf text;

	strbuf_init(&text);
	note(c, &text, rows);
	report_section(report, text.text);
	strbuf_done(&text);
}

/* The types of all lines: in text and CSV; and of lines that text does not have. */
struct line_types {
	struct report_own_type *of_text, *of_csv;
	bool flat; /* with a selection (flat_columns) */
};

static void add_lines(struct report *report, const struct line_types *types,
		      const struct saved_change *c, const struct entry_rows *rows)
{
	add_section(report, c, rows, note_entry);
	for (size_t k = 0; k < rows->n; k++)
		put_line(report_add(report, &types->of_text->type), c, &rows->row[k], c->type->did,
			 c->type->count, "", &rows->row[k].count);
	add_section(report, c, rows, note_contended);
	for (size_t i = 0; i < c->n_amounts; i++)
		for (size_t k = 0; k < rows->n && c->amount[i].unit; k++) {
			const struct statistics *d = &rows->row[k].amount[i];
			const char *name = c->amount[i].name;
			const bool any = types->flat || d->of[0].n > 0 || d->of[1].n > 0;

			put_line(report_add(report,
					    any ? &types->of_text->type : &types->of_csv->type),
				 c, &rows->row[k], name, name, c->amount[i].unit, d);
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
	if (c->n_sides > 2)
		report_own_type_add(t, (struct report_column){.id = "side"});
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
	record_text(r, "a", row->entry[0] ? c->side[0].what : NULL);
	record_text(r, "b", row->entry[1] ? c->side[row->side].what : NULL);
	record_text(r, "unit", c->unit_of_all);
	record_number(r, "change", row->total.difference);
	record_number(r, "margin", row->total.margin);
	put_difference(r, c->type->count, NULL, &row->count);
	for (size_t i = 0; i < c->n_amounts; i++)
		if (c->amount[i].unit)
			put_difference(r, c->amount[i].name, c->amount[i].unit, &row->amount[i]);
	if (c->n_sides > 2)
		record_text(r, "side", side_id[row->side]);
}

/* --- all --- */

int saved_change_check(const struct report_selection *s, size_t n_sides, struct err *err)
{
	struct report_own_type *t = make_line_type(n_sides, false, true);
	const int ret = report_select_check(s, &t->type, err);

	report_own_type_done(t);
	free(t);
	return ret;
}

/* Returns the rows of the entry that begins with row i. */
static struct entry_rows rows_from(const struct saved_change *c, size_t i)
{
	struct entry_rows rows = {&c->row[i], 1};

	while (i + rows.n < c->n && !saved_compare(names_of(rows.row), names_of(&rows.row[rows.n])))
		rows.n++;
	return rows;
}

void saved_change_add(struct report *report, const struct saved_change *c, size_t n,
		      const struct report_selection *s)
{
	struct report_own_type *row_type = xcalloc(1, sizeof *row_type);
	const bool flat = s->fields || s->sort;
	const struct line_types types = {make_line_type(c->n_sides, flat, true),
					 make_line_type(c->n_sides, flat, false), flat};
	struct strbuf head;

	make_row_type(row_type, c);
	strbuf_init(&head);
	note_head(c, &head);
	report_note(report, head.text);
	strbuf_done(&head);
	report_heading(report, &types.of_text->type);
	for (size_t i = 0; i < c->n && n--;) {
		const struct entry_rows rows = rows_from(c, i);

		add_lines(report, &types, c, &rows);
		for (size_t k = 0; k < rows.n && !flat; k++)
			put_row(report_add(report, &row_type->type), c, &rows.row[k]);
		i += rows.n;
	}
	report_select(report, s);
	report_own(report, row_type);
	report_own(report, types.of_text);
	report_own(report, types.of_csv);
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
	size_t side;
};

struct group {
	const struct saved_change *c;
	const struct member *member;
	size_t n;
	double *number[SIDES_MAX]; /* of each side: room for a number of each run */
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
list_numbers(const struct group *g, size_t side, size_t amount,
	     double (*number_of)(const struct group *g, const struct member *m, size_t amount),
	     double none)
{
	const struct saved_runs *runs = &g->c->side[side];
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

/* --- of two sides --- */

/* Returns a member of a side; NULL: it has none. */
static const struct member *find(const struct group *g, size_t side)
{
	for (size_t i = 0; i < g->n; i++)
		if (g->member[i].side == side)
			return &g->member[i];
	return NULL;
}

static void compare_runs(struct statistics *s, const struct group *g,
			 const struct statistics_numbers of[2])
{
	(g->c->is_paired ? statistics_of_pairs : statistics_of_runs)(s, of);
}

/* Compares sums, which are 0 in runs without the entry. */
static void compare_sums(struct statistics *s, const struct group *g, size_t side,
			 double (*sum)(const struct group *g, const struct member *m,
				       size_t amount))
{
	compare_runs(
		s, g,
		(struct statistics_numbers[]){known_or_none(list_numbers(g, 0, 0, sum, 0)),
					      known_or_none(list_numbers(g, side, 0, sum, 0))});
}

/* Compares the calls of single runs, or the means of several runs. */
static void compare_amount(struct statistics *s, const struct group *g, size_t side, size_t i)
{
	if (g->c->several)
		compare_runs(s, g,
			     (struct statistics_numbers[]){list_numbers(g, 0, i, mean_of, NAN),
							   list_numbers(g, side, i, mean_of, NAN)});
	else
		statistics_of_moments(
			s, (const struct moments *const[]){amount_of(g, find(g, 0), i),
							   amount_of(g, find(g, side), i)});
}

static double contended_pct(const struct group *g, size_t side)
{
	double count = 0, contended = 0;

	for (size_t i = 0; i < g->n; i++)
		if (g->member[i].side == side) {
			count += g->member[i].entry->count;
			contended += g->member[i].entry->contended;
		}
	return count > 0 ? 100 * contended / count : (double)NAN;
}

static void make_row(const struct group *g, size_t side, struct saved_change_row *row)
{
	const size_t sides[] = {0, side};

	row->side = side;
	for (int k = 0; k < 2; k++) {
		const struct member *m = find(g, sides[k]);

		row->entry[k] = m ? m->entry : NULL;
		row->contended_pct[k] = contended_pct(g, sides[k]);
	}
	compare_sums(&row->count, g, side, count_of);
	compare_sums(&row->total, g, side, sum_of);
	row->amount = xcalloc(g->c->n_amounts + 1, sizeof *row->amount);
	for (size_t i = 0; i < g->c->n_amounts; i++)
		compare_amount(&row->amount[i], g, side, i);
}

/* --- of all sides --- */

static void correct_rows(struct saved_change_row *row, size_t n, size_t n_amounts)
{
	struct statistics *of[SIDES_MAX];

	for (size_t i = 0; i < n_amounts + 2; i++) {
		for (size_t k = 0; k < n; k++)
			of[k] = i < n_amounts    ? &row[k].amount[i]
				: i == n_amounts ? &row[k].count
						 : &row[k].total;
		statistics_correct(of, n);
	}
}

/* Makes the rows of an entry: of each side, if A or the side has it. Returns their number. */
static size_t make_entry(const struct group *g, struct saved_change_row *row)
{
	double largest = -1;
	size_t n = 0;

	for (size_t side = 1; side < g->c->n_sides; side++)
		if (find(g, 0) || find(g, side))
			make_row(g, side, &row[n++]);
	correct_rows(row, n, g->c->n_amounts);
	for (size_t k = 0; k < n; k++)
		largest = fmax(largest, fabs(row[k].total.difference));
	for (size_t k = 0; k < n; k++)
		row[k].largest = largest;
	return n;
}

static int compare_members(const void *a, const void *b)
{
	const struct member *x = a, *y = b;
	const int order = saved_compare(x->entry, y->entry);

	return order ? order : (x->side > y->side) - (x->side < y->side);
}

/* Sorts entries by the size of the change, the largest first; unknown changes come last. */
static int compare_rows(const void *a, const void *b)
{
	const struct saved_change_row *x = a, *y = b;
	int order;

	if (x->largest != y->largest)
		return x->largest < y->largest ? 1 : -1;
	order = saved_compare(names_of(x), names_of(y));
	return order ? order : (x->side > y->side) - (x->side < y->side);
}

/* Lists the entries of all runs, sorted, so that equal ones are adjacent. Returns their number. */
static size_t list_members(const struct saved_change *c, struct member **out)
{
	size_t n = 0, cap = 0;

	for (size_t side = 0; side < c->n_sides; side++)
		for (size_t i = 0; i < c->side[side].n; i++) {
			const struct saved *run = &c->side[side].run[i];

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

	for (size_t side = 0; side < c->n_sides; side++)
		g.number[side] = xcalloc(c->side[side].n, sizeof *g.number[side]);
	c->row = xcalloc(n * (c->n_sides - 1) + 1, sizeof *c->row);
	for (size_t i = 0; i < n; i += g.n) {
		g.member = &member[i];
		for (g.n = 1;
		     i + g.n < n && !saved_compare(g.member->entry, member[i + g.n].entry);)
			g.n++;
		c->n += make_entry(&g, &c->row[c->n]);
	}
	array_sort(c->row, c->n, sizeof *c->row, compare_rows);
	for (size_t side = 0; side < c->n_sides; side++)
		free(g.number[side]);
	free(member);
}

static int check_run(const struct saved_change *c, const struct saved *run, struct err *err)
{
	const struct saved *first = &c->side[0].run[0];

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

int saved_change_make(struct saved_change *c, const struct saved_runs *side, size_t n_sides,
		      bool is_paired, struct err *err)
{
	const struct saved *first = &side[0].run[0];
	int ret = 0;

	*c = (struct saved_change){
		.side = side, .n_sides = n_sides, .is_paired = is_paired, .type = first->type};
	c->key_id = (const char *const *)first->key_id;
	c->amount = xcalloc(first->n_amounts + 1, sizeof *c->amount);
	for (c->n_amounts = 0; c->n_amounts < first->n_amounts; c->n_amounts++)
		c->amount[c->n_amounts] = first->amount[c->n_amounts];
	for (size_t k = 0; k < n_sides; k++) {
		c->several = c->several || side[k].n > 1;
		for (size_t i = 0; i < side[k].n && !ret; i++) {
			ret = check_run(c, &side[k].run[i], err);
			drop_other_units(c, &side[k].run[i]);
		}
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
