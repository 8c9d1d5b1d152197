/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Comparisons: the pairs of tasks, the results, and their output.
 */
#include "compare/comparison.h"

#include <stdlib.h>
#include <string.h>

#include "report/format.h"
#include "rounded.h"
#include "screen/compile.h"
#include "series_rig.h"

struct rig {
	struct screen *screen[3]; /* B's screen lacks a column */
	struct origins none;
	double wave; /* %CPU is alternately this much below and above its mean */
	struct sample_machine machine;
	struct comparison_side side[3];
	struct comparison comparison;
};

static void report(void *context, int line, const struct err *err)
{
	(void)context, (void)line;
	printf("# %s\n", err->text);
}

static struct screen *make_screen(void)
{
	struct screen *s = screen_new("test", "a test");

	screen_add_column(s, " %CPU", "%5.1f", NULL, "CPU_TOT");
	screen_add_column(s, " FLT", "%5.0f", NULL, "delta(MINFLT)");
	screen_add_column(s, " P", "%2.0f", NULL, "PROC_ID");
	screen_add_column(s, " MAJ", "%5.0f", NULL, "delta(MAJFLT)");
	screen_compile(s, report, NULL, NULL);
	return s;
}

static void begin_sides(struct rig *r, size_t n)
{
	static const char *const name[] = {"a.db", "b.db", "c.db"};
	struct err err = ERR_INIT;

	*r = (struct rig){.wave = 0.1,
			  .machine = {.host = "node1", .arch = "x86", .model = "06_8F"}};
	for (size_t i = 0; i < n; i++) {
		r->screen[i] = make_screen();
		r->side[i] =
			(struct comparison_side){.what = name[i],
						 .key = &group_key_table[GROUP_PROGRAM],
						 .machine = i ? NULL : &r->machine,
						 .screen = {side_label[i], r->screen[i], &r->none}};
	}
	screen_drop_column(r->screen[1], 3);
	if (n > 2)
		screen_drop_column(r->screen[2], 1);
	comparison_init(&r->comparison, r->side, n);
	tap_int(comparison_choose(&r->comparison, NULL, &err), 0, "there are columns %s", err.text);
}

static void begin(struct rig *r)
{
	begin_sides(r, 2);
}

static void end(struct rig *r)
{
	for (size_t i = 0; i < r->comparison.n_sides; i++) {
		series_list_done(&r->side[i].list);
		screen_free(r->screen[i]);
	}
	comparison_done(&r->comparison);
}

/* Adds n intervals of a program. */
static void add(struct rig *r, int side, const char *name, int n, double cpu, double faults)
{
	for (int i = 1; i <= n; i++)
		rig_add(&r->side[side].list, i,
			&(struct rig_row){.name = name,
					  .cpu = cpu / 100,
					  .cell = {cpu + (i % 2 ? -r->wave : r->wave), faults}});
}

static const struct comparison_cell *cell(const struct rig *r, size_t pair, size_t column)
{
	return &r->comparison.pair[pair].cell[column];
}

static const char *result(const struct rig *r, size_t pair, size_t column)
{
	return difference_result_name[cell(r, pair, column)->numbers.result];
}

/* Appends the selected rows and fields of the comparison. */
static void write_in(struct strbuf *out, const struct comparison *c, enum report_format_id format,
		     const struct report_selection *s)
{
	struct err err = ERR_INIT;
	struct report report;

	report_init(&report);
	tap_int(comparison_add(&report, c, s, &err), 0, "it is written %s", err.text);
	report_formats[format].write(&report, true, out);
	report_done(&report);
}

static void try_format(const struct rig *r, enum report_format_id format, const char *file)
{
	struct strbuf text;

	strbuf_init(&text);
	write_in(&text, &r->comparison, format, &(struct report_selection){.rows = 0});
	(r->wave > 0 ? rounded_check : golden_check)("comparison", file, text.text);
	strbuf_done(&text);
}

/* Selected fields, in which all rows are sorted together. */
static void try_selection(const struct rig *r, enum report_format_id format, const char *file)
{
	const struct report_selection s = {.fields = "program_a,column,change_pct,difference",
					   .sort = "change_pct"};
	struct strbuf text;

	strbuf_init(&text);
	write_in(&text, &r->comparison, format, &s);
	rounded_check("comparison", file, text.text);
	strbuf_done(&text);
}

static void test_results(void)
{
	struct rig r;

	begin(&r);
	tap_int(r.comparison.n_columns, 2, "the number of a CPU is no amount");
	tap_int(r.comparison.n_unlike, 1, "what only one side has is not compared");
	add(&r, 0, "busy", 20, 80, 5);
	add(&r, 1, "busy", 20, 88, 5);
	add(&r, 0, "calm", 20, 10, 0);
	add(&r, 1, "calm", 20, 9, 7);
	add(&r, 0, "short", 9, 1, NAN);
	add(&r, 1, "short", 20, 2, 1);
	add(&r, 0, "idle", 20, 0, 0);
	add(&r, 1, "idle", 20, 0, 0);
	add(&r, 1, "new", 20, 50, 0);
	comparison_make(&r.comparison, 0);
	try_format(&r, REPORT_AS_TEXT, "results-text");
	try_format(&r, REPORT_AS_CSV, "results-csv");
	try_format(&r, REPORT_AS_JSON, "results-json");
	try_selection(&r, REPORT_AS_TEXT, "sorted-text");
	try_selection(&r, REPORT_AS_JSON, "sorted-json");
	tap_int(r.comparison.n_pairs, 3, "those that ran on both sides");
	tap_str(r.comparison.pair[0].of[1]->name, "busy", "the busiest first");
	tap_str(result(&r, 0, 0), "more", "more");
	tap_num(cell(&r, 0, 0)->numbers.change_pct, 10, "by 10 %%");
	tap_ok(cell(&r, 0, 0)->numbers.margin_pct < 1, "noise would be less");
	tap_str(result(&r, 0, 1), "noise", "the same");
	tap_str(result(&r, 1, 0), "less", "less");
	tap_str(result(&r, 1, 1), "more", "something where there was nothing");
	tap_ok(isnan(cell(&r, 1, 1)->numbers.change_pct), "is no percentage");
	tap_str(result(&r, 2, 0), "too-few", "nine intervals");
	tap_str(result(&r, 2, 1), "unknown", "no number");
	tap_int(cell(&r, 2, 1)->why[0], QUALITY_DENIED, "and why");
	tap_int(r.comparison.n_alone[0], 0, "none ran in A only");
	tap_int(r.comparison.n_alone[1], 1, "one did in B");
	tap_str(r.comparison.alone[1][0]->name, "new", "it is this one");
	end(&r);
}

static void test_two(void)
{
	struct rig r;

	begin(&r);
	add(&r, 0, "by gcc", 12, 80, 5);
	add(&r, 1, "by clang", 12, 80, 5);
	comparison_make(&r.comparison, 0);
	tap_int(r.comparison.n_pairs, 1, "two programs alone are compared, whatever their names");
	tap_int(r.comparison.n_alone[0] + r.comparison.n_alone[1], 0, "none is alone");
	end(&r);
	begin(&r);
	for (int i = 0; i < 4; i++) {
		char name[] = {(char)('a' + i), '\0'};

		add(&r, 0, name, 12, 10 * (i + 1), 5);
		add(&r, 1, name, 12, 10 * (i + 1), 5);
	}
	comparison_make(&r.comparison, 3);
	tap_int(r.comparison.n_pairs, 3, "as many as are wanted");
	tap_int(r.comparison.n_more, 1, "and how many more there are");
	tap_str(r.comparison.pair[2].of[0]->name, "b", "the busiest are there");
	end(&r);
}

/* Adds 12 intervals of a program with two regions: "long", and "sort", whose calls take sort_ms. */
static void add_regions(struct rig *r, int side, const char *program, double sort_ms)
{
	r->side[side].key = &group_key_table[GROUP_REGION];
	for (int i = 1; i <= 12; i++) {
		const double call_ms = i % 2 ? 20.1 : 19.9;

		rig_add(&r->side[side].list, i,
			&(struct rig_row){.name = "long",
					  .program = program,
					  .calls = 30,
					  .call_ms = call_ms,
					  .cell = {20, 30}});
		rig_add(&r->side[side].list, i,
			&(struct rig_row){.name = "sort",
					  .program = program,
					  .calls = 10,
					  .call_ms = sort_ms + call_ms / 1000,
					  .cell = {sort_ms, 10}});
	}
}

static void test_regions(void)
{
	struct rig r;

	begin(&r);
	add_regions(&r, 0, "old", 1);
	add_regions(&r, 1, "new", 1);
	comparison_make(&r.comparison, 0);
	tap_int(r.comparison.n_pairs, 2, "regions of two programs are the same by their names");
	tap_str(r.comparison.pair[0].of[0]->name, "long", "by the time that is their own");
	end(&r);
	begin(&r);
	add_regions(&r, 0, "prog", 1);
	add_regions(&r, 0, "other", 7);
	add_regions(&r, 1, "prog", 2);
	comparison_make(&r.comparison, 0);
	tap_int(r.comparison.n_pairs, 2, "where there are several, those of one program are");
	tap_str(r.comparison.pair[0].of[0]->name, "sort", "the one that takes longer is the first");
	tap_num(r.comparison.pair[0].shift_s, 0.24, "that is 1 ms of 240 calls");
	tap_int(r.comparison.n_alone[0], 2, "the others are in one side only");
	try_format(&r, REPORT_AS_TEXT, "regions-text");
	try_format(&r, REPORT_AS_CSV, "regions-csv");
	try_format(&r, REPORT_AS_JSON, "regions-json");
	end(&r);
}

/* A report may lack the programs. */
static void test_no_program(void)
{
	const struct report_selection all = {.rows = 0};
	struct strbuf text;
	struct rig r;

	begin(&r);
	add_regions(&r, 0, "prog", 1);
	add_regions(&r, 1, "prog", 1);
	for (size_t i = 0; i < r.side[1].list.n; i++) {
		free(r.side[1].list.v[i]->program);
		r.side[1].list.v[i]->program = NULL;
	}
	comparison_make(&r.comparison, 0);
	strbuf_init(&text);
	write_in(&text, &r.comparison, REPORT_AS_TEXT, &all);
	tap_ok(strstr(text.text, "\nprog: long (A) and long (B)\n"), "one side has no programs");
	strbuf_done(&text);
	end(&r);
}

/* All CPUs of a machine are one row, which has a counterpart on the other side. */
static void test_cpus(void)
{
	struct rig r;

	begin(&r);
	for (int side = 0; side < 2; side++) {
		r.side[side].key = &group_key_table[GROUP_MACHINE];
		add(&r, side, "all", 20, side ? 44 : 40, 1000);
	}
	comparison_make(&r.comparison, 0);
	try_format(&r, REPORT_AS_TEXT, "cpus-text");
	try_format(&r, REPORT_AS_CSV, "cpus-csv");
	try_format(&r, REPORT_AS_JSON, "cpus-json");
	end(&r);
}

static void test_formats(void)
{
	struct rig r;

	begin(&r);
	/* Equal intervals: rounded numbers might differ between machines. */
	r.wave = 0;
	add(&r, 0, "a, \"b\"\n", 10, 50, 5);
	add(&r, 1, "a, \"b\"\n", 10, 100, NAN);
	add(&r, 0, "large", 12, 10, 12345678);
	add(&r, 1, "large", 12, 10, 12345);
	add(&r, 0, "less", 1, 1, 1);
	add(&r, 1, "less", 1, 1, 1);
	add(&r, 1, "=1+1", 2, 7, 7);
	comparison_make(&r.comparison, 2);
	try_format(&r, REPORT_AS_TEXT, "text");
	try_format(&r, REPORT_AS_CSV, "csv");
	try_format(&r, REPORT_AS_JSON, "json");
	end(&r);
	begin(&r);
	for (int i = 0; i < 12; i++)
		add(&r, 1, (char[]){'x', (char)('a' + i), '\0'}, 2, i + 1, 0);
	comparison_make(&r.comparison, 0);
	try_format(&r, REPORT_AS_TEXT, "alone-text");
	try_format(&r, REPORT_AS_CSV, "alone-csv");
	try_format(&r, REPORT_AS_JSON, "alone-json");
	end(&r);
}

/* Three runs of each side; a drift from run to run is in both. */
static void try_pairs(struct rig *r, bool is_paired)
{
	const double drift[] = {0, 20, 40}, more[] = {1, 1.1, 0.9};
	const size_t column[] = {0, 1};

	begin(r);
	r->comparison.is_paired = is_paired;
	for (size_t i = 0; i < 6; i++) {
		struct series_list run;

		series_list_init(&run, column, 2);
		rig_add(&run, 1,
			&(struct rig_row){.name = "busy",
					  .cpu = 0.5,
					  .cell = {10 + drift[i / 2] + (i % 2 ? more[i / 2] : 0)}});
		series_list_add_run(&r->side[i % 2].list, &run);
		r->side[i % 2].n_runs = 3;
		series_list_done(&run);
	}
	comparison_make(&r->comparison, 0);
}

static void test_pairs(void)
{
	struct rig r;

	try_pairs(&r, false);
	tap_str(result(&r, 0, 0), "noise", "runs that differ more than the sides do");
	end(&r);
	try_pairs(&r, true);
	tap_str(result(&r, 0, 0), "more", "as pairs, all have the same difference");
	tap_num(cell(&r, 0, 0)->numbers.difference, 1, "its mean");
	tap_num(cell(&r, 0, 0)->numbers.pairs, 3, "of three pairs");
	end(&r);
}

/* C does not have the second column, and B not the last one. */
static void test_three(void)
{
	const struct comparison_cell *b, *c;
	struct rig r;

	begin_sides(&r, 3);
	tap_int((long)r.comparison.n_columns, 3, "columns that any other side has");
	tap_int((long)r.comparison.n_unlike, 2, "those that one lacks are named");
	tap_ok(r.comparison.unlike[0].side == 1 && r.comparison.unlike[1].side == 2,
	       "with the side");
	for (int i = 0; i < 3; i++)
		add(&r, i, "busy", 20, i == 2 ? 88 : 80, 5 + i);
	add(&r, 0, "calm", 20, 10, 0);
	add(&r, 2, "calm", 20, 10, 0);
	add(&r, 0, "old", 20, 10, 0);
	add(&r, 1, "new", 20, 10, 0);
	comparison_make(&r.comparison, 0);
	tap_int((long)r.comparison.n_pairs, 2, "what A and any other side have");
	b = comparison_find_cell(&r.comparison, &r.comparison.pair[0], 1, 0);
	c = comparison_find_cell(&r.comparison, &r.comparison.pair[0], 2, 0);
	tap_int(b->numbers.result, DIFFERENCE_NOISE, "A and B are equal");
	tap_int(c->numbers.result, DIFFERENCE_MORE, "C is not");
	tap_ok(c->numbers.margin > 1.1 * b->numbers.margin,
	       "the smallest p-value of two is tested at half of the level: %g, %g",
	       c->numbers.margin, b->numbers.margin);
	tap_ok(!comparison_find_cell(&r.comparison, &r.comparison.pair[0], 2, 1),
	       "C has not the second column");
	tap_ok(!comparison_find_cell(&r.comparison, &r.comparison.pair[0], 1, 2),
	       "nor B the last one");
	tap_ok(!comparison_find_cell(&r.comparison, &r.comparison.pair[1], 1, 0) &&
		       comparison_find_cell(&r.comparison, &r.comparison.pair[1], 2, 0),
	       "B has not the second program, C has");
	tap_str(r.comparison.alone[0][0]->name, "old", "in A only");
	tap_str(r.comparison.alone[1][0]->name, "new", "not in A");
	try_format(&r, REPORT_AS_TEXT, "three-text");
	try_format(&r, REPORT_AS_CSV, "three-csv");
	try_format(&r, REPORT_AS_JSON, "three-json");
	end(&r);
}

int main(void)
{
	setenv("TZ", "UTC", 1);
	test_results();
	test_two();
	test_regions();
	test_no_program();
	test_cpus();
	test_formats();
	test_pairs();
	test_three();
	return tap_done();
}
