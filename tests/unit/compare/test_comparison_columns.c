/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which columns of two machines can be compared, and the reasons why others cannot.
 */
#include "compare/comparison.h"

#include <errno.h>

#include "screen/compile.h"
#include "tap.h"

static void report(void *context, int line, const struct err *err)
{
	(void)context, (void)line;
	printf("# %s\n", err->text);
}

static struct screen *make_screen(const char *last)
{
	struct screen *s = screen_new("test", "a test");

	screen_add_counter(s, "cycle", "0", NULL);
	screen_add_counter(s, "miss", "1", NULL);
	screen_add_column(s, " %CPU", "%5.1f", NULL, "CPU_TOT");
	screen_add_column(s, "  MPC", "%5.2f", NULL, "delta(miss) / delta(cycle)");
	screen_add_column(s, "  LAST", "%5.2f", NULL, last);
	screen_compile(s, report, NULL, NULL);
	return s;
}

/* Checks whether the columns of these two events can be compared. want: the reason why not; "" if
 * they can. */
static void try_origins(const struct origin *x, const struct origin *y, const char *want,
			enum match match, const char *name)
{
	struct screen *s = make_screen("1");
	struct origin a[] = {{.counter = (char *)"cycle", .what = (char *)"cycles"}, *x};
	struct origin b[] = {{.counter = (char *)"cycle", .what = (char *)"cycles"}, *y};
	const struct origins of_a = {a, 2}, of_b = {b, 2};
	const struct match_side sides[] = {{"A", s, &of_a}, {"B", s, &of_b}};
	struct err why = ERR_INIT;
	size_t column = 0;

	a[0].modes = b[0].modes = (char *)"user mode";
	tap_int(match_find(&sides[0], 1, &sides[1], &column, &why), match, "%s: the reason", name);
	tap_str(why.text, want, "%s", name);
	tap_int(match_find(&sides[0], 0, &sides[1], &column, NULL), 0,
		"%s: a column without counters can be compared", name);
	screen_free(s);
}

#define ORIGIN(name, mode, means)                                                                  \
	(&(struct origin){.counter = (char *)"miss",                                               \
			  .what = (char *)(name),                                                  \
			  .modes = (char *)(mode),                                                 \
			  .meaning = (char *)(means)})

static void test_origins(void)
{
	try_origins(ORIGIN("cache-misses", "user mode", "misses of L3 (event 1)"),
		    ORIGIN("other-misses", "user mode", "misses of L3 (event 2)"), "", MATCH_FOUND,
		    "the same by another number");
	try_origins(ORIGIN("cache-misses", "user mode", "misses of L3"),
		    ORIGIN("cache-misses", "user mode", "misses of L2"),
		    "in A 'miss' counts misses of L3; in B misses of L2", MATCH_MEANING,
		    "the same name, and another meaning");
	try_origins(ORIGIN("cache-misses", "user mode", "misses"),
		    ORIGIN("cache-misses", "kernel", "misses"),
		    "in A 'miss' is counted in user mode; in B kernel", MATCH_MODES, "other modes");
	try_origins(ORIGIN("FOO", "user mode", NULL), ORIGIN("BAR", "user mode", "bars"),
		    "in A 'miss' is FOO; in B BAR", MATCH_EVENT, "other events of unknown meaning");
	try_origins(ORIGIN("FOO", "user mode", NULL), ORIGIN("FOO", "user mode", "foos"), "",
		    MATCH_FOUND, "the same event");
	try_origins(ORIGIN(NULL, NULL, NULL), ORIGIN("FOO", "user mode", "foos"), "", MATCH_FOUND,
		    "a missing event is unknown, not another one");
}

static void test_ids(void)
{
	static const char *const want[N_MATCHES] = {NULL,          "absent",        "other-formula",
						    "other-modes", "other-meaning", "other-event"};

	tap_ok(!match_id(MATCH_FOUND), "a column that is found has no reason");
	for (int i = MATCH_ABSENT; i < N_MATCHES; i++)
		tap_str(match_id((enum match)i), want[i], "the id of result %d", i);
}

static void test_columns(void)
{
	struct screen *a = make_screen("2 * CPU_TOT"), *b = make_screen("3 * CPU_TOT");
	const struct origins none = {NULL, 0};
	const struct match_side x = {"A", a, &none}, y = {"B", b, &none};
	struct err why = ERR_INIT;
	size_t column;

	tap_int(match_find(&x, 2, &y, &column, &why), MATCH_FORMULA,
		"one that is computed otherwise");
	tap_str(why.text, "in A it is 2 * CPU_TOT; in B 3 * CPU_TOT", "and how");
	screen_drop_column(b, 1);
	tap_int(match_find(&x, 1, &y, &column, &why), MATCH_ABSENT, "one that was left out");
	tap_ok(strstr(why.text, "the screen 'test' of B lacks this column"), "and where: %s",
	       why.text);
	screen_free(a);
	a = make_screen("3 * CPU_TOT");
	tap_int(match_find(&(struct match_side){"A", a, &none}, 2, &y, &column, &why), 0,
		"others are found");
	tap_int(column, 1, "at their place there");
	screen_free(a);
	screen_free(b);
}

int main(void)
{
	test_origins();
	test_ids();
	test_columns();
	return tap_done();
}
