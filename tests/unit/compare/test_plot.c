/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The script for gnuplot: steps, gaps, axes, and the quoting of names.
 */
#include "compare/plot.h"

#include <errno.h>

#include "screen/compile.h"
#include "series_rig.h"

struct rig {
	struct screen *screen;
	struct series_list list;
	const struct column *column[RIG_COLUMNS];
	struct plot_side side;
	struct plot_request request;
	struct plot plot;
};

static void report(void *context, int line, const struct err *err)
{
	(void)context, (void)line;
	printf("# %s\n", err->text);
}

static void begin(struct rig *r)
{
	*r = (struct rig){.screen = screen_new("test", "a test")};
	screen_add_column(r->screen, " `a`", "%5.1f", NULL, "CPU_TOT");
	screen_add_column(r->screen, " FLT", "%5.0f", NULL, "delta(MINFLT)");
	screen_compile(r->screen, report, NULL, NULL);
	for (size_t i = 0; i < RIG_COLUMNS; i++)
		r->column[i] = &r->screen->column[i];
	rig_list(&r->list);
	r->side = (struct plot_side){.list = &r->list};
	r->request = (struct plot_request){.side = &r->side,
					   .n_sides = 1,
					   .column = r->column,
					   .n_panels = 2,
					   .rows = 5,
					   .title = "the title"};
	plot_init(&r->plot);
}

static void end(struct rig *r)
{
	plot_done(&r->plot);
	series_list_done(&r->list);
	screen_free(r->screen);
}

static void add(struct rig *r, const char *name, int second, double a, double b)
{
	rig_add(&r->list, second, &(struct rig_row){.name = name, .cpu = 1, .cell = {a, b}});
}

static void test_steps(void)
{
	struct err err = ERR_INIT;
	struct rig r;

	begin(&r);
	add(&r, "x", 1, 5, 0);
	add(&r, "x", 2, 6, 20000);
	add(&r, "x", 3, NAN, 40000);
	add(&r, "x", 4, 7, 0);
	add(&r, "x", 6, 8, 0);
	tap_int(plot_make(&r.plot, &r.request, &err), 0, "it is made %s", err.text);
	tap_str(r.plot.data.text,
		"\"x\"\n0 5\n1 5\n1 6\n2 6\n\n3 7\n4 7\n\n5 8\n6 8\n\n\n"
		"\"x\"\n0 0\n1 0\n1 20\n2 20\n2 40\n3 40\n3 0\n4 0\n\n5 0\n6 0\n\n\n",
		"steps; a gap where nothing is known, and one where it was not there");
	tap_str(r.plot.text[0].text, "the title", "the title");
	tap_str(r.plot.text[1].text, "time (s)", "the axis");
	tap_str(r.plot.text[2].text, "`a`", "the first panel");
	tap_str(r.plot.text[3].text, "FLT/s (K)", "the second one, in thousands a second");
	tap_int(r.plot.n_texts, 4, "no other text");
	tap_ok(strstr(r.plot.script.text, "set xrange [0:6]"), "to the end");
	tap_str(r.plot.notes.text, "", "nothing is left to say");
	end(&r);
}

/* Processes, and regions of processes, are labelled with the pid. */
static void test_numbers(void)
{
	struct err err = ERR_INIT;
	struct rig r;

	begin(&r);
	r.request.n_panels = 1;
	rig_add(&r.list, 1, &(struct rig_row){.name = "x", .pid = 77, .cell = {5, 0}});
	rig_add(&r.list, 1,
		&(struct rig_row){.name = "sort", .pid = 77, .program = "x", .cell = {6, 0}});
	tap_int(plot_make(&r.plot, &r.request, &err), 0, "it is made %s", err.text);
	tap_str(r.plot.data.text, "\"x 77\"\n0 5\n1 5\n\n\n\"sort 77\"\n0 6\n1 6\n\n\n",
		"with the number that is shown");
	end(&r);
}

static void test_over(void)
{
	struct err err = ERR_INIT;
	struct rig r;

	begin(&r);
	r.request.n_panels = 1;
	r.request.over = r.column[1];
	add(&r, "x", 1, 5, 10);
	add(&r, "x", 2, 6, 30);
	add(&r, "x", 3, 7, NAN);
	add(&r, "x", 4, 8, 20);
	tap_int(plot_make(&r.plot, &r.request, &err), 0, "it is made %s", err.text);
	tap_str(r.plot.data.text, "\"x\"\n0 5\n10 5\n10 6\n40 6\n\n40 8\n60 8\n\n\n",
		"over what was counted");
	tap_str(r.plot.text[1].text, "FLT", "which is the axis");
	tap_str(r.plot.notes.text,
		"'x' is drawn without the intervals of which 'flt' is not known (1): the kernel "
		"does "
		"not let you count this task\n",
		"what is lacking there is said");
	end(&r);
}

static void test_names(void)
{
	static const char *const names[] = {"`touch x`", "\";\nsystem('x')", "a\\n\\101",
					    "a very long name of a program"};
	struct err err = ERR_INIT;
	struct rig r;

	begin(&r);
	for (int i = 0; i < 4; i++)
		add(&r, names[i], 1, 1, 1);
	r.side.label = "r.db";
	r.request.title = "`title`\n'";
	tap_int(plot_make(&r.plot, &r.request, &err), 0, "it is made %s", err.text);
	tap_ok(strstr(r.plot.data.text, "\"`touch x`, r.db\"\n"), "a name is data");
	tap_ok(strstr(r.plot.data.text, "\"';?system('x'), r.db\"\n"),
	       "it cannot end its field, nor its line");
	tap_ok(strstr(r.plot.data.text, "\"a\\\\n\\\\101, r.db\"\n"), "nor mean anything else");
	tap_ok(strstr(r.plot.data.text, "\"a very long name o\u2026, r.db\"\n"),
	       "it is cut, the file stays");
	tap_ok(!strpbrk(r.plot.script.text, "`\"\\") && !strstr(r.plot.script.text, "touch") &&
		       !strstr(r.plot.script.text, "FLT"),
	       "the script has no name");
	tap_str(r.plot.text[0].text, "`title`?'", "the title is one line");
	end(&r);
}

static void test_nothing(void)
{
	struct err err = ERR_INIT;
	struct rig r;

	begin(&r);
	add(&r, "x", 1, 5, NAN);
	add(&r, "y", 1, NAN, NAN);
	tap_int(plot_make(&r.plot, &r.request, &err), -ENODATA, "a panel without numbers");
	tap_str(err.text,
		"there is no number of 'flt' to draw: the kernel does not let you count "
		"this task",
		"is told");
	tap_ok(strstr(r.plot.data.text, "\"y\"\nNaN NaN\n"), "who has none keeps his place");
	tap_ok(strstr(r.plot.notes.text, "'y' has no number of 'a'"), "and that is said");
	end(&r);
}

int main(void)
{
	test_steps();
	test_numbers();
	test_over();
	test_names();
	test_nothing();
	return tap_done();
}
