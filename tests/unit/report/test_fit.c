/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The columns and rows of a report that a terminal shows. */
#include "report/fit.h"
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
	check_cut("a mutex", 5, "a m..");
	check_cut("\u00e4\u00f6\u00fc\u00df\u20ac!", 5, "\u00e4\u00f6\u00fc..");
	check_cut("mutex", 2, "");
	check_wrap("# one two\n# three\n", 9, "# one two\n# three\n");
	check_wrap("#   one two three\n\n# four", 12, "#   one two\n#     three\n\n# four");
	check_wrap("averylongword here", 8, "averylongword\n#     here");
}

int main(void)
{
	test_columns();
	test_rows();
	test_texts();
	return tap_done();
}
