/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The columns and rows of a report that a terminal shows. */
#include "report/format.h"
#include "report/select.h"
#include "tap.h"

#define COLUMNS 5

/* Checks the widths of the columns; "-": not shown. */
static void check_columns(int width, const char *want)
{
	struct fit_column column[COLUMNS] = {
		{.width = 40, .rank = 1, .is_text = true}, {.width = 10, .rank = 3},
		{.width = 8, .rank = 2, .empty = true},    {.width = 12},
		{.width = 30, .rank = 2, .is_text = true},
	};
	struct strbuf got;

	strbuf_init(&got);
	fit_columns(column, COLUMNS, width);
	for (int i = 0; i < COLUMNS; i++)
		if (column[i].shown)
			strbuf_addf(&got, "%s%d", i ? " " : "", column[i].width);
		else
			strbuf_addstr(&got, i ? " -" : "-");
	tap_str(got.text, want, "in %d characters", width);
	strbuf_done(&got);
}

static void test_columns(void)
{
	check_columns(200, "40 10 - 12 30");
	check_columns(95, "40 10 - 12 30");
	check_columns(94, "39 10 - 12 30");
	check_columns(80, "28 10 - 12 27");
	check_columns(50, "13 10 - 12 12");
	check_columns(30, "9 10 - - 9");
	check_columns(13, "13 - - - -");
	check_columns(1, "8 - - - -");
}

static void check_rows(size_t a, size_t b, int room, size_t want)
{
	const size_t n[] = {a, b};

	tap_int((long)fit_rows(n, 2, room), (long)want, "%zu and %zu rows in %d lines", a, b, room);
}

static void test_rows(void)
{
	check_rows(3, 1400, 30, 27);
	check_rows(20, 20, 40, 20);
	check_rows(20, 20, 39, 19);
	check_rows(3, 1400, 4, FIT_ROWS);
	check_rows(3, 5, -7, 5);
	check_rows(0, 0, 9, 0);
}

static void check_cut(const char *text, int width, const char *want)
{
	struct strbuf out;

	strbuf_init(&out);
	fit_cut(&out, text, width);
	tap_str(out.text, want, "'%s' in %d characters", text, width);
	strbuf_done(&out);
}

static void check_wrap(const char *lines, int width, const char *want)
{
	struct strbuf out;

	strbuf_init(&out);
	fit_wrap(&out, lines, width);
	tap_str(out.text, want, "lines of %d characters", width);
	strbuf_done(&out);
}

static void test_texts(void)
{
	check_cut("mutex", 5, "mutex");
	check_cut("a mutex", 5, "a ..x");
	check_cut("\u00e4\u00f6\u00fc\u00df\u20ac!", 5, "\u00e4\u00f6..!");
	check_cut("mutex", 2, "");
	check_wrap("# one two\n# three\n", 9, "# one two\n# three\n");
	check_wrap("#   one two three\n\n# four", 12, "#   one two\n#     three\n\n# four");
	check_wrap("averylongword here", 8, "averylongword\n#     here");
}

static const struct report_column columns[] = {
	{.id = "name", .csv = "name", .title = "# name", .width = -1, .rank = 1},
	{.id = "kind", .csv = "kind", .title = "kind", .width = -1, .unknown = "none"},
	{.id = "ns", .csv = "ns", .title = "ns", .width = 6, .rank = 2},
	{.title = "share%", .width = 6, .field = "share"},
};
static const struct report_type type = {columns, 4, NULL, 1, NULL};

static void check_report(struct report_selection s, const char *want, const char *what)
{
	struct report report;
	struct strbuf out;

	report_init(&report);
	report_note(&report, "# a sentence of five words\n");
	report_heading(&report, &type);
	for (uint64_t i = 1; i <= 12; i++) {
		struct report_record *r = report_add(&report, &type);

		record_text(r, "name", i == 1 ? "the_first_one" : "other");
		record_text(r, "kind", NULL);
		record_count(r, "ns", 1000 - i);
		record_count(r, "", 1);
	}
	strbuf_init(&out);
	report_select(&report, &s);
	report_write_text(&report, true, &out);
	tap_str(out.text, want, "%s", what);
	strbuf_done(&out);
	report_done(&report);
}

static void test_report(void)
{
	check_report(
		(struct report_selection){.width = 19, .height = 5, .fits_rows = true},
		"# a sentence of\n#     five words\n"
		"# name           ns\n"
		"the_fi.._one    999\n"
		"other           998\nother           997\nother           996\n"
		"other           995\nother           994\nother           993\n"
		"other           992\n"
		"# 4 more rows:\n#     --rows 0\n#     shows all\n"
		"# not shown: share:\n#     --fields\n#     shows them,\n#     -o writes all\n",
		"a terminal too small for the columns and the rows");
	check_report((struct report_selection){.width = 80, .height = 5, .rows = 1},
		     "# a sentence of five words\n"
		     "# name            ns share%\n"
		     "the_first_one    999      1\n"
		     "# 11 more rows: --rows 0 shows all\n",
		     "a column without a value is not shown, nor named");
	check_report(
		(struct report_selection){
			.width = 10, .height = 5, .rows = 1, .fields = "name,kind,ns"},
		"# a sentence of five words\n"
		"#name         kind  ns\n"
		"the_first_one    - 999\n"
		"# 11 more rows: --rows 0 shows all\n",
		"fields that are chosen are all shown");
	check_report((struct report_selection){.rows = 1},
		     "# a sentence of five words\n"
		     "# name        kind     ns share%\n"
		     "the_first_one none    999      1\n",
		     "without a terminal, nothing is said of other rows");
}

int main(void)
{
	test_columns();
	test_rows();
	test_texts();
	test_report();
	return tap_done();
}
