/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "compare/comparison.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/lookup.h"
#include "base/mem.h"
#include "base/strbuf.h"
#include "compare/series.h"

/* ---- report ----
 *
 * The output; doc/compare.md has the fields.
 */

#define SCHEMA 1

#define METHOD        "EWC test, for intervals that resemble each other"
#define METHOD_RUNS   "Welch's test, for runs that are independent of each other"
#define METHOD_PAIRS  "Student's t test, for runs that are pairs"
#define METHOD_SOURCE "(Lazarus, Lewis, Stock, Watson 2018)"
#define METHOD_MANY   "; corrected for the number of sides by Holm's method"

#define MEAN .style = REPORT_SHORT, .unknown = "?"
#define PCT  .digits = 1, .unit = "%"

/* The most names that text lists of series that only one side has. */
#define ALONE_MAX 10

/* clang-format off */
static const struct sides_column row_columns[] = {
	{{.title = "  COLUMN", .width = -11, .indent = 2, .place = -1}, NULL},
	{{.id = "column", .csv = "column", .role = REPORT_IS_KIND}, NULL},
	{{.id = "unit", .csv = "unit"}, NULL},
	{{.id = "n_a", .csv = "n_a", .title = "N", .width = 4}, SIDES_NO_TITLE},
	{{.id = "mean_a", .csv = "mean_a", .title = "MEAN A", .width = 8, MEAN,
	  .role = REPORT_IS_MEAN, .amount = "a"}, NULL},
	{{.id = "sd_a", .csv = "sd_a", .title = "SD A", .width = 7, MEAN, .role = REPORT_IS_SD, .amount = "a"}, NULL},
	{{.id = "n_b", .csv = "n_b", .title = "N", .width = 4}, NULL},
	{{.id = "mean_b", .csv = "mean_b", .title = "MEAN B", .width = 8, MEAN,
	  .role = REPORT_IS_MEAN, .amount = "b"}, "MEAN"},
	{{.id = "sd_b", .csv = "sd_b", .title = "SD B", .width = 7, MEAN, .role = REPORT_IS_SD, .amount = "b"}, "SD"},
	{{.id = "difference", .csv = "difference", .width = 8, MEAN}, NULL},
	{{.id = "margin", .csv = "margin", .width = 8, MEAN}, NULL},
	{{.id = "change_pct", .csv = "change_pct", .title = "CHANGE", .width = 8, .sign = true, PCT,
	 .role = REPORT_IS_CHANGE}, NULL},
	{{.id = "margin_pct", .csv = "margin_pct", .title = "+-", .width = 6, PCT, .role = REPORT_IS_MARGIN}, NULL},
	SIDES_RESULT_COLUMNS,
	{{.id = "reason_a", .csv = "reason_a"}, NULL},
	{{.id = "reason_b", .csv = "reason_b"}, NULL},
};

static const struct report_column unlike_columns[] = {
	{.id = "column"}, {.id = "reason"}, {.id = "reason_id"}, {.id = "side"}};
/* The last column is for more than two sides. */
static const struct report_type unlike_type = {unlike_columns, 3, NULL, 0, NULL},
				unlike_sides_type = {unlike_columns, 4, NULL, 0, NULL};

/* The columns of the whole record, before those of its sides, and of each side. */
static const struct report_column comparison_columns[] = {
	{.id = "type"}, {.id = "schema"}, {.id = "screen"}, {.id = "method"}, {.id = "confidence"}};
static const struct report_column side_members[] = {
	{.id = "recording"}, {.id = "from"}, {.id = "to"}, {.id = "intervals"}, {.id = "interval_s"},
	{.id = "runs"}, {.id = "host"}, {.id = "arch"}, {.id = "model"}, {.id = "only_here"}};
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
	strbuf_addstr(out, ",\n   ");
	if (side->n_runs)
		strbuf_addf(out, "%zu run%s with ", side->n_runs, side->n_runs == 1 ? "" : "s");
	strbuf_addf(out, "%zu interval%s of %.3g s", l->n_intervals, l->n_intervals == 1 ? "" : "s",
		    l->interval_s);
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
	for (size_t k = 0; k < c->n_sides; k++)
		note_side(out, &c->side[k]);
	strbuf_addstr(out, "Screen ");
	text_add(out, c->side->screen.screen->name);
	if (c->side->n_runs)
		strbuf_addf(
			out,
			": mean and standard deviation (SD) over the means of\n"
			"the N runs that have a number; counts are per second. RESULT is more or "
			"less\nwhere CHANGE is above +-: chance alone does that in %g of 100 "
			"comparisons of\nequal runs (by %s).\n",
			100 * (1 - VARIATION_CONFIDENCE),
			c->is_paired ? "Student's t test of the pairs of runs" : "Welch's test");
	else
		strbuf_addf(
			out,
			": mean and standard deviation (SD) over the N intervals that\n"
			"have a number; counts are per second. RESULT is more or less where "
			"CHANGE is\nabove +-: chance alone does that in %g of 100 comparisons of "
			"equal recordings\n(by the EWC test, which knows that an interval "
			"resembles the one before it: see\ntiptop-compare(1)).\n",
			100 * (1 - MEANS_CONFIDENCE));
	if (c->n_sides > 2)
		strbuf_addstr(out, "VS is the side compared with A; +- is corrected for the number "
				   "of these sides\n(Holm).\n");
	strbuf_addch(out, '\n');
}

static void add_series(struct strbuf *out, const struct series *s)
{
	strbuf_addf(out, "%s%s%s", s->program ? s->program : "", s->program ? ": " : "", s->name);
}

static bool is_of_same_program(const struct series *a, const struct series *b)
{
	return a->program && b->program ? !strcmp(a->program, b->program)
					: a->program == b->program;
}

/* Returns whether all sides that have the thing have the same name for it. */
static bool has_one_name(const struct comparison *c, const struct comparison_pair *pair)
{
	const struct series *a = pair->of[0];

	for (size_t k = 1; k < c->n_sides; k++) {
		const struct series *b = pair->of[k];

		if (b && (strcmp(a->name, b->name) != 0 || !is_of_same_program(a, b)))
			return false;
	}
	return true;
}

/* Returns the last side that has the thing. */
static size_t last_side(const struct comparison *c, const struct comparison_pair *pair)
{
	size_t last = c->n_sides - 1;

	while (!pair->of[last])
		last--;
	return last;
}

static void note_pair(struct strbuf *out, const struct comparison *c,
		      const struct comparison_pair *pair)
{
	const size_t last = last_side(c, pair);
	struct strbuf names;

	strbuf_init(&names);
	if (has_one_name(c, pair))
		add_series(&names, pair->of[0]);
	else
		for (size_t k = 0; k < c->n_sides; k++) {
			if (!pair->of[k])
				continue;
			strbuf_addstr(&names, !k ? "" : k < last ? ", " : " and ");
			add_series(&names, pair->of[k]);
			strbuf_addf(&names, " (%s)", c->side[k].screen.label);
		}
	strbuf_addch(out, '\n');
	text_add(out, names.text);
	strbuf_addch(out, '\n');
	strbuf_done(&names);
}

static void note_one_sided(struct strbuf *out, const struct comparison *c, size_t side)
{
	const size_t n = c->n_alone[side];
	struct strbuf name;

	if (!n)
		return;
	strbuf_init(&name);
	strbuf_addf(out, side && c->n_sides > 2 ? "In %s and not in A:" : "Only in %s:",
		    c->side[side].screen.label);
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
	size_t n = c->n_more + c->n_unlike;

	for (size_t k = 0; k < c->n_sides; k++)
		n += c->n_alone[k];
	if (n)
		strbuf_addch(out, '\n');
	if (c->n_more)
		strbuf_addf(out, "In %s, and not shown: %zu more (--rows 0 shows all)\n",
			    c->n_sides > 2 ? "several" : "both", c->n_more);
	for (size_t k = 0; k < c->n_sides; k++)
		note_one_sided(out, c, k);
	for (size_t i = 0; i < c->n_unlike; i++) {
		strbuf_addstr(out, "Not compared: ");
		text_add(out, c->unlike[i].id);
		strbuf_addstr(out, ": ");
		text_add(out, c->unlike[i].why);
		strbuf_addch(out, '\n');
	}
}

/* --- rows --- */

/* Returns the unit of a column whose counts are per second. */
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

/* Makes the type of the rows: the names of both sides, with their programs if their kind has some,
 * and the columns of a comparison. */
static void make_row_type(struct report_own_type *t, const struct comparison *c)
{
	const struct group_key_row *key = c->side->key;
	char name[32];

	report_own_type_init(t, NULL, 0);
	report_own_type_table(t, NULL);
	for (int of_program = key->kind->in_program; of_program >= 0; of_program--)
		for (int k = 0; k < 2; k++) {
			snprintf(name, sizeof name, "%s_%c", of_program ? "program" : key->name,
				 "ab"[k]);
			report_own_type_add(t, (struct report_column){.id = name,
								      .csv = name,
								      .role = REPORT_IS_NAME});
		}
	sides_declare_rows(t, c->n_sides, row_columns, sizeof row_columns / sizeof *row_columns);
}

static void put_names(struct report_record *r, const struct comparison *c,
		      const struct comparison_pair *pair, size_t side, const struct column *column)
{
	const size_t n_names = c->side->key->kind->in_program ? 4 : 2;
	const char *text;
	int len;

	for (size_t i = 0; i < n_names; i++) {
		const struct series *s = pair->of[i % 2 ? side : 0];

		record_text(r, r->type->column[i].id, i + 2 < n_names ? s->program : s->name);
	}
	/* A count of the interval is shown per second here. */
	text = screen_column_name(column, &len);
	record_textf(r, "", "%.*s%s", len, text, column->kind == COLUMN_COUNT ? "/s" : "");
	record_text(r, "column", column->id);
	record_text(r, "unit", unit_of(column));
}

/* Puts the reason why a side has no numbers. */
static void put_reason(struct report_record *r, const char *id, const struct comparison_cell *cell,
		       int side)
{
	record_text(r, id,
		    cell->numbers.of[side].n > 0 ? NULL : quality_table[cell->why[side]].name);
}

static void put_row(struct report_record *r, const struct comparison *c,
		    const struct comparison_pair *pair, size_t side, size_t column)
{
	const struct comparison_cell *cell = comparison_find_cell(c, pair, side, column);

	put_names(r, c, pair, side, c->column[column]);
	statistics_put(r, &cell->numbers);
	sides_put_result(r, cell->numbers.result);
	put_reason(r, "reason_a", cell, 0);
	put_reason(r, "reason_b", cell, 1);
	sides_put_side(r, c->n_sides, side);
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

static void put_side(struct report_record *r, const struct comparison *c, size_t side)
{
	const struct comparison_side *s = &c->side[side];
	const struct sample_machine *m = s->machine;
	struct strbuf name;

	record_group(r, side_id[side]);
	record_text(r, "recording", s->what);
	put_span(r, &s->list);
	record_optional_count(r, "runs", s->n_runs);
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

/* Adds the rows of a pair, and a line with the reason below rows without a result. */
static void add_rows(struct report *report, const struct report_type *row_type,
		     const struct comparison *c, const struct comparison_pair *pair)
{
	struct side_reason reason = {NULL, QUALITY_EXACT};

	for (size_t i = 0; i < c->n_columns; i++)
		for (size_t k = 1; k < c->n_sides; k++) {
			const struct comparison_cell *cell = comparison_find_cell(c, pair, k, i);
			int side;

			if (!cell)
				continue;
			side = cell->numbers.of[0].n > 0 ? 1 : 0;
			side_reason_add(report, &reason, cell->numbers.result,
					c->side[side ? k : 0].screen.label, cell->why[side]);
			put_row(report_add_inner(report, row_type), c, pair, k, i);
		}
	side_reason_flush(report, &reason);
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
		add_rows(report, row_type, c, &c->pair[i]);
	}
	strbuf_done(&names);
}

static void report_add_unlike(struct report *report, const struct comparison *c)
{
	for (size_t i = 0; i < c->n_unlike; i++) {
		struct report_record *r = report_add_inner(
			report, c->n_sides > 2 ? &unlike_sides_type : &unlike_type);

		record_text(r, "column", c->unlike[i].id);
		record_text(r, "reason", c->unlike[i].why);
		record_text(r, "reason_id", match_id(c->unlike[i].match));
		if (c->n_sides > 2)
			record_text(r, "side", side_id[c->unlike[i].side]);
	}
}

static struct report_own_type *make_type(const struct comparison *c)
{
	struct report_own_type *t = xcalloc(1, sizeof *t);

	report_own_type_init(t, comparison_columns,
			     sizeof comparison_columns / sizeof *comparison_columns);
	sides_declare_groups(t, c->n_sides, side_members,
			     sizeof side_members / sizeof *side_members);
	report_own_type_add(t, (struct report_column){.id = "rows"});
	report_own_type_add(t, (struct report_column){.id = "not_compared"});
	return t;
}

/* Adds the whole report. The selection applies to the rows only. */
static void add_all(struct report *report, const struct report_type *row_type,
		    const struct comparison *c, const struct report_selection *s)
{
	struct report_own_type *type = make_type(c);
	struct report_record *r;
	size_t unlike;

	note(report, c, note_head);
	add_pairs(report, row_type, c);
	report_select(report, s);
	unlike = report->n;
	report_add_unlike(report, c);
	note(report, c, note_foot);
	r = report_add(report, &type->type);
	record_text(r, "type", "comparison");
	record_count(r, "schema", SCHEMA);
	record_text(r, "screen", c->side->screen.screen->name);
	record_textf(r, "method", "%s%s",
		     c->is_paired      ? METHOD_PAIRS
		     : c->side->n_runs ? METHOD_RUNS
				       : METHOD " " METHOD_SOURCE,
		     c->n_sides > 2 ? METHOD_MANY : "");
	record_number(r, "confidence", c->side->n_runs ? VARIATION_CONFIDENCE : MEANS_CONFIDENCE);
	for (size_t k = 0; k < c->n_sides; k++)
		put_side(r, c, k);
	record_records(r, "rows", 0, unlike);
	record_records(r, "not_compared", unlike, report->n - 1);
	report_own(report, type);
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

/* ---- alike ---- */

/* Returns the first event of a counter; NULL: none. Its events on other kinds of cores count the
 * same. */
static const struct origin *find_origin(const struct origins *origins, const char *counter)
{
	for (size_t i = 0; i < origins->n; i++)
		if (!strcmp(origins->v[i].counter, counter))
			return origins->v[i].what ? &origins->v[i] : NULL;
	return NULL;
}

/* Compares two meanings without the event codes, which differ between CPUs: "(event 0xc4)". */
static bool meanings_equal(const char *x, const char *y)
{
	const size_t n = strcspn(x, "("), m = strcspn(y, "(");

	return n == m && !memcmp(x, y, n);
}

/* The id of each sentence; of a difference of counters, also its verb. */
static const struct {
	const char *id, *verb;
} match_text[N_MATCHES] = {
	[MATCH_ABSENT] = {"absent", NULL},
	[MATCH_FORMULA] = {"other-formula", NULL},
	[MATCH_MODES] = {"other-modes", "is counted in"},
	[MATCH_MEANING] = {"other-meaning", "counts"},
	[MATCH_EVENT] = {"other-event", "is"},
};

const char *match_id(enum match match)
{
	return match_text[match].id;
}

static enum match differ(struct err *why, const struct match_side *a, const struct match_side *b,
			 const char *counter, enum match match, const char *in_a, const char *in_b)
{
	err_set(why, EINVAL, "in %s '%s' %s %s; in %s %s", a->label, counter,
		match_text[match].verb, in_a, b->label, in_b);
	return match;
}

static enum match compare_counter(const struct match_side *a, const struct match_side *b,
				  const char *counter, struct err *why)
{
	const struct origin *x = find_origin(a->origins, counter);
	const struct origin *y = find_origin(b->origins, counter);

	if (!x || !y)
		return MATCH_FOUND;
	if (strcmp(x->modes, y->modes))
		return differ(why, a, b, counter, MATCH_MODES, x->modes, y->modes);
	if (x->meaning && y->meaning && !meanings_equal(x->meaning, y->meaning))
		return differ(why, a, b, counter, MATCH_MEANING, x->meaning, y->meaning);
	if (!(x->meaning && y->meaning) && strcmp(x->what, y->what))
		return differ(why, a, b, counter, MATCH_EVENT, x->what, y->what);
	return MATCH_FOUND;
}

static int find_column(const struct screen *screen, const char *id, size_t *column)
{
	for (size_t i = 0; i < screen->n_columns; i++)
		if (!strcmp(screen->column[i].id, id)) {
			*column = i;
			return 0;
		}
	return -ENOENT;
}

/* Compares the meaning of two columns: their expressions or, if a column is of a report, their
 * descriptions, units, and whether their numbers are per second. */
static enum match compare_meaning(const struct match_side *a, const struct column *x,
				  const struct match_side *b, const struct column *y,
				  struct err *why)
{
	static const char *const of_time[] = {"as written", "a count per second"};
	const bool both = x->expr && y->expr;
	const bool per_s[] = {x->kind == COLUMN_COUNT, y->kind == COLUMN_COUNT};
	const char *in_a = both ? x->text : x->desc, *in_b = both ? y->text : y->desc;

	if (strcmp(in_a, in_b) != 0)
		err_set(why, EINVAL, "in %s it is %s; in %s %s", a->label, in_a, b->label, in_b);
	else if (!both && x->unit != y->unit)
		err_set(why, EINVAL, "in %s its unit is '%s'; in %s '%s'", a->label,
			unit_table[x->unit].name, b->label, unit_table[y->unit].name);
	else if (!both && per_s[0] != per_s[1])
		err_set(why, EINVAL, "in %s it is %s; in %s %s", a->label, of_time[per_s[0]],
			b->label, of_time[per_s[1]]);
	else
		return MATCH_FOUND;
	return MATCH_FORMULA;
}

enum match match_find(const struct match_side *a, size_t i, const struct match_side *b,
		      size_t *column, struct err *why)
{
	const struct column *x = &a->screen->column[i], *y;
	enum match match = MATCH_FOUND;

	if (find_column(b->screen, x->id, column)) {
		err_set(why, ENOENT,
			"the screen '%s' of %s lacks this column: the CPU has no "
			"such events, or another screen has this name",
			b->screen->name, b->label);
		return MATCH_ABSENT;
	}
	y = &b->screen->column[*column];
	match = compare_meaning(a, x, b, y, why);
	if (match || !x->expr || !y->expr)
		return match;
	for (size_t k = 0; k < expr_n_refs(x->expr) && !match; k++) {
		const struct expr_ref ref = expr_ref_at(x->expr, k);

		if (ref.symbol < (int)a->screen->n_aliases)
			match = compare_counter(a, b, a->screen->alias[ref.symbol], why);
	}
	return match;
}

/* ---- comparison ---- */

/* The index of a column that cannot be compared. */
#define NOWHERE SIZE_MAX

void comparison_init(struct comparison *c, struct comparison_side *side, size_t n_sides)
{
	*c = (struct comparison){.side = side, .n_sides = n_sides};
}

void comparison_done(struct comparison *c)
{
	for (size_t i = 0; i < c->n_pairs; i++)
		free(c->pair[i].cell);
	for (size_t i = 0; i < c->n_unlike; i++) {
		free(c->unlike[i].id);
		free(c->unlike[i].why);
	}
	free(c->pair);
	free(c->unlike);
	free(c->column);
	for (size_t k = 0; k < SIDES_MAX; k++) {
		free(c->alone[k]);
		free(c->at[k]);
	}
	*c = (struct comparison){.n_pairs = 0};
}

/* --- columns --- */

static void add_unlike(struct comparison *c, size_t side, const struct column *column,
		       enum match match, const struct err *why)
{
	c->unlike = xgrow(c->unlike, &c->cap_unlike, c->n_unlike + 1, sizeof *c->unlike);
	c->unlike[c->n_unlike++] =
		(struct comparison_skipped){side, xstrdup(column->id), xstrdup(why->text), match};
}

/* Notes the columns of a side that the first one does not have. */
static void add_other_only(struct comparison *c, size_t side)
{
	const struct match_side *a = &c->side->screen, *b = &c->side[side].screen;
	struct columns all;
	size_t column;

	if (columns_find(&all, NULL, b->screen, NULL))
		return;
	for (size_t i = 0; i < all.n; i++) {
		struct err why = ERR_INIT;

		if (match_find(b, all.v[i], a, &column, &why) == MATCH_ABSENT)
			add_unlike(c, side, &b->screen->column[all.v[i]], MATCH_ABSENT, &why);
	}
	columns_done(&all);
}

/* Initializes the list of a side for the wanted columns of the first side that can be compared.
 * Sets at[i] to the index of the wanted column i in this list; NOWHERE: it cannot be compared. */
static void choose_of_side(struct comparison *c, size_t side, const struct columns *wanted,
			   size_t *at)
{
	const struct match_side *a = &c->side->screen, *b = &c->side[side].screen;
	size_t *column = xcalloc(wanted->n, sizeof *column), n = 0;

	for (size_t i = 0; i < wanted->n; i++) {
		struct err why = ERR_INIT;
		const enum match match = match_find(a, wanted->v[i], b, &column[n], &why);

		at[i] = match ? NOWHERE : n++;
		if (match)
			add_unlike(c, side, &a->screen->column[wanted->v[i]], match, &why);
	}
	series_list_init(&c->side[side].list, column, n);
	free(column);
}

/* Drops wanted columns that no other side has, and initializes the list of the first side. */
static void choose_of_first(struct comparison *c, struct columns *wanted)
{
	size_t n = 0;

	c->column = xcalloc(wanted->n, sizeof *c->column);
	c->at[0] = xcalloc(wanted->n, sizeof *c->at[0]);
	for (size_t i = 0; i < wanted->n; i++) {
		bool any = false;

		for (size_t k = 1; k < c->n_sides; k++) {
			any = any || c->at[k][i] != NOWHERE;
			c->at[k][n] = c->at[k][i];
		}
		if (!any)
			continue;
		c->at[0][n] = n;
		c->column[n] = &c->side->screen.screen->column[wanted->v[i]];
		wanted->v[n++] = wanted->v[i];
	}
	c->n_columns = n;
	series_list_init(&c->side->list, wanted->v, n);
}

/* -EINVAL: no column of the side can be compared. */
static int check_side(const struct comparison *c, size_t side, struct err *err)
{
	size_t i = 0;

	if (c->side[side].list.n_columns)
		return 0;
	while (c->unlike[i].side != side)
		i++;
	return err_set(err, EINVAL, "no column can be compared: of '%s', %s", c->unlike[i].id,
		       c->unlike[i].why);
}

int comparison_choose(struct comparison *c, const char *columns, struct err *err)
{
	struct columns wanted;
	int ret = columns_find(&wanted, columns, c->side->screen.screen, err);

	if (ret)
		return ret;
	for (size_t k = 1; k < c->n_sides; k++) {
		c->at[k] = xcalloc(wanted.n, sizeof *c->at[k]);
		choose_of_side(c, k, &wanted, c->at[k]);
		if (!columns)
			add_other_only(c, k);
	}
	choose_of_first(c, &wanted);
	columns_done(&wanted);
	for (size_t k = 1; k < c->n_sides && !ret; k++)
		ret = check_side(c, k, err);
	return ret;
}

int comparison_add_list(const struct comparison *c, size_t side, const struct match_side *screen,
			struct series_list *list, struct err *err)
{
	const struct match_side *a = &c->side->screen;
	size_t *column = xcalloc(c->n_columns, sizeof *column), n = 0;
	int ret = 0;

	for (size_t i = 0; i < c->n_columns && !ret; i++) {
		const size_t k = (size_t)(c->column[i] - a->screen->column);
		struct err why = ERR_INIT;

		if (c->at[side][i] != NOWHERE && match_find(a, k, screen, &column[n++], &why))
			ret = err_set(err, EINVAL, "the column '%s' cannot be compared: %s",
				      c->column[i]->id, why.text);
	}
	if (!ret)
		series_list_init(list, column, n);
	free(column);
	return ret;
}

/* --- numbers --- */

/* Returns the numbers of a column of a thing on one side. */
static struct statistics_numbers numbers_of(const struct comparison *c,
					    const struct comparison_pair *pair, size_t side,
					    size_t column)
{
	const struct series *s = pair->of[side];

	return (struct statistics_numbers){s->number + c->at[side][column], s->n,
					   c->side[side].list.n_columns};
}

struct comparison_cell *comparison_find_cell(const struct comparison *c,
					     const struct comparison_pair *pair, size_t side,
					     size_t column)
{
	return pair->of[side] && c->at[side][column] != NOWHERE
		       ? &pair->cell[(side - 1) * c->n_columns + column]
		       : NULL;
}

/* Compares a thing in one column. */
static void compare_column(const struct comparison *c, const struct comparison_pair *pair,
			   size_t column)
{
	struct statistics *of[SIDES_MAX];
	size_t n = 0;

	for (size_t k = 1; k < c->n_sides; k++) {
		struct comparison_cell *cell = comparison_find_cell(c, pair, k, column);

		if (!cell)
			continue;
		(c->is_paired      ? statistics_of_pairs
		 : c->side->n_runs ? statistics_of_runs
				   : statistics_of_series)(
			&cell->numbers,
			(struct statistics_numbers[]){numbers_of(c, pair, 0, column),
						      numbers_of(c, pair, k, column)});
		cell->why[0] = pair->of[0]->why[column];
		cell->why[1] = pair->of[k]->why[c->at[k][column]];
		of[n++] = &cell->numbers;
	}
	statistics_correct(of, n);
}

/* --- things --- */

static double shift_of(const struct series *a, const struct series *b)
{
	const double n_units = a->n_units + b->n_units;
	struct statistics s;

	if (n_units <= 0)
		return 0;
	statistics_of_series(
		&s, (struct statistics_numbers[]){{a->unit_ns, a->n, 1}, {b->unit_ns, b->n, 1}});
	return difference_is_found(s.result) ? fabs(s.difference) * n_units / 1e9 : 0;
}

/* An idle task is of no interest, but an idle CPU is. */
static bool is_idle(const struct series *s)
{
	return s->busy_s <= 0 && !s->is_permanent;
}

/* Notes that the series of another side is about the same thing as that of the first. */
static void add_to_pair(struct comparison_pair *pair, size_t side, const struct series *s)
{
	if (is_idle(pair->of[0]) && is_idle(s))
		return;
	pair->of[side] = s;
	pair->shift_s = fmax(pair->shift_s, shift_of(pair->of[0], s));
}

static void add_one_sided(struct comparison *c, size_t side, const struct series *s)
{
	if (is_idle(s))
		return;
	c->alone[side] = xgrow(c->alone[side], &c->cap_alone[side], c->n_alone[side] + 1,
			       sizeof *c->alone[side]);
	c->alone[side][c->n_alone[side]++] = s;
}

static bool has_programs(const struct series_list *l)
{
	for (size_t i = 1; i < l->n; i++)
		if (!is_of_same_program(l->v[0], l->v[i]))
			return true;
	return false;
}

static uint64_t key_of(const struct comparison *c, const struct series *s)
{
	const uint64_t name = hash_text(s->name, strlen(s->name));

	return c->by_program && s->program ? name ^ hash_text(s->program, strlen(s->program)) << 1
					   : name;
}

/* Removes and returns the series that has the same name as the series `as`; NULL: none. */
static struct series *take(const struct comparison *c, struct hash *names, const struct series *as)
{
	const uint64_t key = key_of(c, as);
	struct series *s = hash_get(names, key);

	if (!s || strcmp(s->name, as->name) || (c->by_program && !is_of_same_program(s, as)))
		return NULL;
	return hash_remove(names, key);
}

static void pair_by_name(struct comparison *c, size_t side)
{
	const struct series_list *a = &c->side->list, *b = &c->side[side].list;
	struct hash names = HASH_INIT;

	c->by_program = has_programs(a) || has_programs(b);
	for (size_t i = 0; i < b->n; i++)
		hash_put(&names, key_of(c, b->v[i]), b->v[i]);
	for (size_t i = 0; i < a->n; i++) {
		struct series *other = take(c, &names, a->v[i]);

		if (other)
			add_to_pair(&c->pair[i], side, other);
	}
	for (size_t i = 0; i < b->n; i++)
		if (take(c, &names, b->v[i]))
			add_one_sided(c, side, b->v[i]);
	hash_done(&names);
}

/* Makes a pair of each series of the first side, and keeps those that another side has. */
static void make_pairs(struct comparison *c)
{
	const struct series_list *a = &c->side->list;

	c->pair = xcalloc(a->n, sizeof *c->pair);
	for (size_t i = 0; i < a->n; i++)
		c->pair[i].of[0] = a->v[i];
	for (size_t k = 1; k < c->n_sides; k++)
		if (a->n == 1 && c->side[k].list.n == 1)
			add_to_pair(&c->pair[0], k, c->side[k].list.v[0]);
		else
			pair_by_name(c, k);
	for (size_t i = 0; i < a->n; i++)
		if (last_side(c, &c->pair[i]))
			c->pair[c->n_pairs++] = c->pair[i];
		else
			add_one_sided(c, 0, a->v[i]);
}

static double busy_of(const struct comparison_pair *pair)
{
	double busy_s = 0;

	for (size_t k = 0; k < SIDES_MAX; k++)
		busy_s += pair->of[k] ? pair->of[k]->busy_s : 0;
	return busy_s;
}

static int compare_pairs(const void *x, const void *y)
{
	const struct comparison_pair *a = x, *b = y;
	const double busy_a = busy_of(a), busy_b = busy_of(b);

	if (a->shift_s != b->shift_s)
		return a->shift_s > b->shift_s ? -1 : 1;
	if (busy_a != busy_b)
		return busy_a > busy_b ? -1 : 1;
	return strcmp(a->of[0]->name, b->of[0]->name);
}

void comparison_make(struct comparison *c, size_t max)
{
	for (size_t k = 0; k < c->n_sides; k++)
		series_list_rank(&c->side[k].list);
	make_pairs(c);
	array_sort(c->pair, c->n_pairs, sizeof *c->pair, compare_pairs);
	if (max && c->n_pairs > max) {
		c->n_more = c->n_pairs - max;
		c->n_pairs = max;
	}
	for (size_t i = 0; i < c->n_pairs; i++) {
		c->pair[i].cell = xcalloc((c->n_sides - 1) * c->n_columns, sizeof *c->pair[i].cell);
		for (size_t k = 0; k < c->n_columns; k++)
			compare_column(c, &c->pair[i], k);
	}
}
