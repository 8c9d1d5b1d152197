/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "screen/compile.h"
#include "tap.h"
#include "view/view.h"

#define UNTOUCHED 99

static void ignore(void *context, int line, const struct err *err)
{
	(void)context;
	(void)line;
	printf("# %s\n", err->text);
}

static struct screen *make_screen(void)
{
	static const char *const header[] = {" %CPU",  "   P",    "%MISS", " L1miss ",
					     "VCSW/s", "NVCSW/s", "x:asc", "L1miss"};
	struct screen *s = screen_new("mine", "");

	for (size_t i = 0; i < sizeof header / sizeof *header; i++)
		screen_add_column(s, header[i], "%5.1f", "", "1");
	screen_compile(s, ignore, NULL, NULL);
	return s;
}

static const struct {
	const char *text;
	int sort;
	bool reverse;
	const char *fault; /* NULL: no error */
} parse_row[] = {
	{"%CPU", 0, false, NULL},
	{"cpu", 0, false, NULL},
	{"cpu:asc", 0, true, NULL},
	{"%CPU:desc", 0, false, NULL},
	/* An exact header is preferred to a part of one; of equal headers, the first. */
	{"P", 1, false, NULL},
	{"P:asc", 1, true, NULL},
	{"VCSW/s", 4, false, NULL},
	/* An exact id is preferred to a part of a header; an exact header is preferred to an id. */
	{"p", 1, false, NULL},
	{"vcsw_s", 4, false, NULL},
	{"vcsw_s:asc", 4, true, NULL},
	{"miss", 2, false, NULL},
	{"l1miss_2", 7, false, NULL},
	{"x_asc", 6, false, NULL},
	{"pid", SORT_PID, false, NULL},
	{"user", SORT_USER, false, NULL},
	{"command", 8, false, NULL},
	{"L1miss", 3, false, NULL},
	/* A header that ends like a direction. */
	{"x:asc", 6, false, NULL},
	{"x:asc:asc", 6, true, NULL},
	{"x", 6, false, NULL},
	/* Fields beside the columns. Texts are sorted in ascending order by default. */
	{"PID", SORT_PID, false, NULL},
	{"pid:asc", SORT_PID, true, NULL},
	{"USER", SORT_USER, false, NULL},
	{"user:asc", SORT_USER, false, NULL},
	{"COMMAND", 8, false, NULL},
	{"comm:asc", 8, false, NULL},
	{"comm:desc", 8, true, NULL},
	/* Ambiguous and unknown names. */
	{"l1m", UNTOUCHED, false,
	 "'l1m' is a part of several columns of the screen 'mine': name one of L1miss, L1miss"},
	{"csw/s", UNTOUCHED, false,
	 "'csw/s' is a part of several columns of the screen 'mine': name one of VCSW/s, NVCSW/s"},
	{"ipc", UNTOUCHED, false,
	 "the screen 'mine' has no column 'ipc' to sort by: it has PID, user, %CPU, P, %MISS, "
	 "L1miss, VCSW/s, NVCSW/s, x:asc, L1miss, COMMAND"},
	{"ipc:asc", UNTOUCHED, false,
	 "the screen 'mine' has no column 'ipc' to sort by: it has PID, user, %CPU, P, %MISS, "
	 "L1miss, VCSW/s, NVCSW/s, x:asc, L1miss, COMMAND"},
	{"a longer text than any header", UNTOUCHED, false,
	 "the screen 'mine' has no column 'a longer text than any header' to sort by: it has PID, "
	 "user, %CPU, P, %MISS, L1miss, VCSW/s, NVCSW/s, x:asc, L1miss, COMMAND"},
};
static void test_parse(const struct screen *s)
{
	for (size_t i = 0; i < sizeof parse_row / sizeof *parse_row; i++) {
		struct err err = ERR_INIT;
		int sort = UNTOUCHED;
		bool reverse = false;
		int ret = sort_parse(s, parse_row[i].text, &sort, &reverse, &err);

		tap_int(sort, parse_row[i].sort, "'%s': the column", parse_row[i].text);
		tap_int(reverse, parse_row[i].reverse, "'%s': the direction", parse_row[i].text);
		tap_ok(!ret == !parse_row[i].fault, "'%s': %s", parse_row[i].text,
		       parse_row[i].fault ? "refused" : "taken");
		tap_str(err.text, parse_row[i].fault ? parse_row[i].fault : "",
			"'%s': the sentence", parse_row[i].text);
	}
}

static void test_direction_kept(const struct screen *s)
{
	bool reverse = true;
	int sort;

	sort_parse(s, "cpu", &sort, &reverse, NULL);
	tap_ok(reverse, "a direction that is not given stays");
	sort_parse(s, "cpu:desc", &sort, &reverse, NULL);
	tap_ok(!reverse, "one that is given counts");
}

/* The name written to a configuration file must be parsed as the same column; so must the header,
 * as in files of version 2.3.1. */
static void test_names(const struct screen *s)
{
	for (int sort = SORT_PID; sort <= (int)s->n_columns; sort++) {
		bool reverse = false;
		char name[32];
		int len, found;
		const char *text = sort_name(s, sort, &len);

		snprintf(name, sizeof name, "%.*s", len, text);
		sort_parse(s, name, &found, &reverse, NULL);
		tap_int(found, sort == 7 ? 3 : sort, "'%s' is found by its name", name);
		sort_parse(s, sort_id(s, sort), &found, &reverse, NULL);
		tap_int(found, sort, "'%s' is found by its id", sort_id(s, sort));
	}
}

int main(void)
{
	struct screen *s = make_screen();

	test_parse(s);
	test_direction_kept(s);
	test_names(s);
	screen_free(s);
	return tap_done();
}
