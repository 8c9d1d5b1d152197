/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Columns found by name.
 */
#include "compare/series.h"

#include "screen/compile.h"
#include "tap.h"

static void report(void *context, int line, const struct err *err)
{
	(void)context, (void)line;
	printf("# %s\n", err->text);
}

static void try_columns(const struct screen *screen, const char *list, const char *want)
{
	struct err err = ERR_INIT;
	struct columns found;
	char text[64] = "";

	if (columns_find(&found, list, screen, &err)) {
		tap_str(err.text, want, "%s is refused", list);
		return;
	}
	for (size_t i = 0; i < found.n; i++)
		snprintf(text + strlen(text), sizeof text - strlen(text), "%zu", found.v[i]);
	tap_str(text, want, "the columns of %s", list ? list : "all");
	columns_done(&found);
}

static void test_columns(void)
{
	struct screen *s = screen_new("test", "a test");

	screen_add_column(s, " %CPU", "%5.1f", NULL, "CPU_TOT");
	screen_add_column(s, " P", "%2.0f", NULL, "PROC_ID");
	screen_add_column(s, " USER", "%5s", NULL, "USER");
	screen_add_column(s, " FLT", "%5.0f", NULL, "delta(MINFLT)");
	screen_compile(s, report, NULL, NULL);
	try_columns(s, NULL, "03");
	try_columns(s, "flt,%CPU", "30");
	try_columns(s, "p", "1");
	try_columns(s, "nothing",
		    "there is no column 'nothing' in the screen 'test': it has cpu, p, "
		    "user, flt");
	try_columns(s, "user", "the column 'user' shows texts, not numbers");
	try_columns(s, "cpu,%CPU", "the column '%CPU' is named twice");
	screen_free(s);
}

int main(void)
{
	test_columns();
	return tap_done();
}
