/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The widths of columns: as declared if there is room, otherwise as wide as the values seen so far.
 * They never shrink again.
 */
#include <locale.h>

#include "tui/canvas.h"
#include "tui/layout.h"
#include "ui_rig.h"
#include "view/view.h"

enum { CPU, P, LONG, N };

#define PID  (5 + 1)                     /* with the mark behind it */
#define WIDE (PID + 6 + 5 + 11 + 2 + 15) /* sum of all declared widths */

static void begin(struct frame_rig *r)
{
	struct screen *s = screen_new("mine", "");

	screen_add_column(s, " %CPU", "%5.1f", NULL, "CPU_TOT");
	screen_add_column(s, "   P", " %3.0f", NULL, "PROC_ID");
	screen_add_column(s, "  LONGNAME", "%10.0f", NULL, "1000");
	frame_rig_init(r, s);
	r->view.idle = true;
	for (int i = 0; i < 8; i++)
		frame_rig_add(r, &(struct rig_task){.id = 10 + i,
						    .cpu_ns = 10000000,
						    .processor = (uint64_t)(i == 5 ? 10 : i)});
}

/* Returns the widths of the columns as text ("5 4 9"), for a terminal this wide that shows n rows
 * from `first` on. */
static const char *widths(struct layout *l, struct frame_rig *r, size_t first, size_t n, int width)
{
	static char text[64];
	const struct frame *f = frame_rig_build(r);

	layout_fit(l, f, first, n, width);
	snprintf(text, sizeof text, "%d %d %d", layout_width(l, f, CPU), layout_width(l, f, P),
		 layout_width(l, f, LONG));
	return text;
}

static void test_room(void)
{
	struct layout l = {0};
	struct frame_rig r;

	begin(&r);
	tap_str(widths(&l, &r, 0, 3, WIDE), "5 4 10", "with room for all: as declared");
	tap_ok(!layout_lacks(&l, &r.frame), "nothing is left out");
	tap_str(widths(&l, &r, 0, 3, WIDE - 1), "4 1 8", "without: as wide as names and numbers");
	tap_ok(!layout_lacks(&l, &r.frame), "still nothing is left out");
	tap_str(widths(&l, &r, 0, 3, WIDE), "5 4 10", "with room again: as declared");
	r.view.show_user = true;
	tap_str(widths(&l, &r, 0, 3, WIDE + 11), "4 1 8", "users take room");
	tap_str(widths(&l, &r, 0, 3, WIDE + 12), "5 4 10", "so much of it");
	frame_rig_done(&r);
}

/* A column of texts with priority 1 has its whole width before columns of lower priority are
 * shown. */
static void test_text_first(void)
{
	struct screen *s = screen_new("why", "a screen about a text");
	struct layout l = {0};
	struct frame_rig r;

	screen_add_column(s, "CGROUP", "%-20s", NULL, "CGROUP")->priority = 1;
	screen_add_column(s, "   %CPU", "%7.1f", NULL, "CPU_TOT")->priority = 1;
	screen_add_column(s, "   %SYS", "%7.1f", NULL, "CPU_SYS")->priority = 2;
	frame_rig_init(&r, s);
	r.view.idle = true;
	frame_rig_add(&r,
		      &(struct rig_task){.id = 1, .cpu_ns = 10000000, .cgroup = "/waits-for-a"});
	frame_rig_build(&r);
	layout_fit(&l, &r.frame, 0, 1, 80);
	tap_int(layout_width(&l, &r.frame, 0), 20, "with room for all: as declared");
	layout_fit(&l, &r.frame, 0, 1, 44);
	tap_int(layout_width(&l, &r.frame, 0), 12, "the whole text");
	tap_ok(layout_width(&l, &r.frame, 1) && !layout_width(&l, &r.frame, 2),
	       "a column of lower priority is left out for it");
	layout_fit(&l, &r.frame, 0, 1, 36);
	tap_ok(layout_width(&l, &r.frame, 0) < 12 && layout_width(&l, &r.frame, 1),
	       "not one of its own priority");
	frame_rig_done(&r);
}

static void test_nothing_jumps(void)
{
	struct layout l = {0};
	struct frame_rig r;

	begin(&r);
	tap_str(widths(&l, &r, 0, 3, 50), "5 4 10", "50 columns are enough");
	tap_str(widths(&l, &r, 0, 3, 41), "4 1 8", "the CPUs are 0 to 2");
	tap_str(widths(&l, &r, 3, 3, 41), "4 2 8", "CPU 10 comes into view");
	tap_str(widths(&l, &r, 0, 3, 41), "4 2 8", "and goes: its column stays");
	r.view.sort = N;
	tap_str(widths(&l, &r, 0, 3, 41), "4 2 8", "whatever sorts");
	l.screen = NULL;
	tap_str(widths(&l, &r, 0, 3, 41), "4 1 8", "another screen starts again");
	frame_rig_done(&r);
}

static void test_left_out(void)
{
	struct layout l = {0};
	struct frame_rig r;

	begin(&r);
	/* 6 + 5 + 2 + 9 + 2 + 15, and a blank after ] */
	tap_str(widths(&l, &r, 0, 3, 40), "4 1 8", "all just fit");
	tap_str(widths(&l, &r, 0, 3, 39), "4 1 7", "the longest name is cut");
	tap_str(widths(&l, &r, 0, 3, 37), "4 1 5", "to five characters");
	tap_ok(!layout_lacks(&l, &r.frame), "nothing is left out");
	tap_str(widths(&l, &r, 0, 3, 36), "4 1 0", "then the last column goes");
	tap_ok(layout_lacks(&l, &r.frame), "and is known to lack");
	tap_str(widths(&l, &r, 0, 3, 31), "4 0 0",
		"then the one before, as the mark takes room, too");
	tap_str(widths(&l, &r, 0, 3, 1), "4 0 0", "the sorting one stays");
	r.view.sort = LONG;
	tap_str(widths(&l, &r, 0, 3, 38), "4 1 5", "the same for another one");
	tap_str(widths(&l, &r, 0, 3, 21), "0 0 5", "it stays wherever it is");
	frame_rig_done(&r);
}

/* The column with the lowest priority is left out first, wherever it is. */
static void test_priorities(void)
{
	struct layout l = {0};
	struct frame_rig r;

	begin(&r);
	r.view.sort = SORT_PID;
	r.screen->column[CPU].priority = 7;
	r.screen->column[LONG].priority = 1;
	/* The rows are sorted by pid, so the last task is now the first. It runs on CPU 10, so that
	 * the column of CPUs needs two characters. */
	tap_str(widths(&l, &r, 0, 3, 37), "4 2 5", "all just fit");
	tap_str(widths(&l, &r, 0, 3, 36), "0 2 8", "then the first column goes");
	tap_str(widths(&l, &r, 0, 3, 33), "0 2 5", "the others shrink");
	tap_str(widths(&l, &r, 0, 3, 32), "0 0 7", "then the second goes");
	r.view.sort = CPU;
	tap_str(widths(&l, &r, 0, 3, 36), "4 0 5", "the sorting one never does");
	frame_rig_done(&r);
}

static void test_scrolling(void)
{
	struct layout l = {0};
	struct frame_rig r;

	begin(&r);
	r.view.sort = N;
	tap_str(widths(&l, &r, 0, 3, 33), "4 1 0", "the last column has no room");
	layout_scroll(&l, 1, N);
	tap_str(widths(&l, &r, 0, 3, 33), "0 1 5", "it has when the first one goes");
	tap_ok(layout_scrolled(&l, &r.frame) && !layout_lacks(&l, &r.frame),
	       "which is told, and the rest is there");
	layout_scroll(&l, 1, N);
	tap_str(widths(&l, &r, 0, 3, 33), "0 1 5", "then there is nothing to scroll to");
	layout_scroll(&l, -1, N);
	tap_str(widths(&l, &r, 0, 3, 33), "4 1 0", "back again");
	layout_scroll(&l, -1, N);
	tap_str(widths(&l, &r, 0, 3, 33), "4 1 0", "and not further");
	layout_scroll(&l, 1, P);
	tap_str(widths(&l, &r, 0, 3, WIDE), "5 4 10", "where all have room, nothing is scrolled");
	tap_ok(!layout_scrolled(&l, &r.frame), "nor told");
	r.view.sort = CPU;
	tap_str(widths(&l, &r, 0, 3, 31), "4 0 0", "the first column sorts");
	layout_scroll(&l, 1, CPU);
	tap_str(widths(&l, &r, 0, 3, 31), "4 0 0", "the one behind it goes, but there is no room");
	tap_ok(layout_scrolled(&l, &r.frame) && layout_lacks(&l, &r.frame),
	       "at both sides some are left out");
	layout_scroll(&l, -1, CPU);
	widths(&l, &r, 0, 3, 31);
	tap_ok(!layout_scrolled(&l, &r.frame), "and back with one step");
	layout_scroll(&l, 1, CPU);
	l.screen = NULL;
	widths(&l, &r, 0, 3, 31);
	tap_ok(!layout_scrolled(&l, &r.frame), "another screen is not scrolled");
	r.screen->column[P].priority = 9;
	r.view.sort = N;
	tap_str(widths(&l, &r, 0, 3, 33), "4 0 0", "by priorities, only the first one has room");
	layout_scroll(&l, 1, N);
	tap_str(widths(&l, &r, 0, 3, 33), "0 1 5", "scrolled, all that follow");
	frame_rig_done(&r);
}

/* COMMAND keeps its minimal width at any screen width, as long as another column can be left
 * out. */
static void test_command(void)
{
	struct frame_rig r;
	bool all = true;

	begin(&r);
	for (int width = PID + 6 + LAYOUT_MARK_WIDTH + LAYOUT_GAP + LAYOUT_COMMAND_MIN;
	     width <= WIDE + 5; width++) {
		struct layout l = {0};
		int used = PID + LAYOUT_GAP;

		widths(&l, &r, 0, 8, width);
		for (size_t i = 0; i < N; i++)
			used += layout_width(&l, &r.frame, i) ? 1 + layout_width(&l, &r.frame, i)
							      : 0;
		for (size_t i = 0; i <= N; i++)
			used += layout_gap(&l, &r.frame, i);
		used += layout_lacks(&l, &r.frame) ? LAYOUT_MARK_WIDTH : 0;
		all = all && width - used >= LAYOUT_COMMAND_MIN;
	}
	tap_ok(all, "COMMAND has %d columns at each width", LAYOUT_COMMAND_MIN);
	frame_rig_done(&r);
}

/* COMMAND is wider if it has the branches of a tree, or command lines. */
static void test_more_command(void)
{
	struct layout l = {0};
	struct frame_rig r;
	int before;

	begin(&r);
	widths(&l, &r, 0, 3, 200);
	before = l.command;
	r.view.tree = true;
	r.frame.row[1].depth = 4;
	layout_fit(&l, &r.frame, 0, 3, 200);
	tap_int(l.command, before + 4 * LAYOUT_BRANCH_WIDTH, "a tree: the branches come on top");
	r.frame.row[1].depth = 0;
	layout_fit(&l, &r.frame, 0, 3, 200);
	tap_int(l.command, before + 4 * LAYOUT_BRANCH_WIDTH, "scrolled, it stays");
	r.frame.row[1].depth = 40;
	layout_fit(&l, &r.frame, 0, 3, 50);
	tap_int(l.command, 20, "but two fifths of the screen at most");
	r.view.tree = false;
	r.frame.row[1].depth = 0;
	r.view.show_cmdline = true;
	layout_fit(&l, &r.frame, 0, 3, 100);
	tap_int(l.command, LAYOUT_LINE_MIN, "command lines");
	layout_fit(&l, &r.frame, 0, 3, 30);
	tap_int(l.command, LAYOUT_COMMAND_MIN, "on a narrow screen as usual");
	frame_rig_done(&r);
}

static void test_mark(void)
{
	struct canvas c = CANVAS_INIT;
	struct strbuf text;

	strbuf_init(&text);
	setlocale(LC_CTYPE, "C");
	canvas_resize(&c, 6, 1);
	canvas_put_cut(&c, 0, 0, 6, LOOK_NORMAL, "command");
	canvas_dump(&c, false, &text);
	tap_str(text.text, "comma+\n", "in ASCII, a cut text ends with +");
	setlocale(LC_CTYPE, "C.UTF-8");
	canvas_put_cut(&c, 0, 0, 6, LOOK_NORMAL, "command");
	strbuf_reset(&text);
	canvas_dump(&c, false, &text);
	tap_str(text.text, "comma\u2026\n", "in UTF-8 with an ellipsis");
	strbuf_done(&text);
	canvas_done(&c);
}

/* A low screen has nearly only rows of tasks, but still shows which options are on. */
static void test_low(void)
{
	static const struct {
		int width, height, rows;
		const char *line;
	} size[] = {
		{80, 24, 20, "40 shown, load 0.12, every 1 s, rows 1-20         [idle] me\n"},
		{40, 24, 20, "Tasks:   40 total,   40 shown  [idle] me\n"},
		{60, 13, 9, "40 shown, load 0.12, rows 1-9 [idle] me\n"},
		{60, 11, 8, "40 shown, load 0.12   [idle] me  0 rig"},
		{36, 10, 7, "Tasks:   40 total,  \u2026 [idle]  0 rig"},
		{36, 9, 7, "Tasks:   40 total,  \u2026 [idle]  0 rig"},
	};

	for (size_t i = 0; i < sizeof size / sizeof *size; i++) {
		struct ui_rig r;

		ui_rig_init(&r, size[i].width, size[i].height);
		r.rig.view.idle = r.rig.view.total = true;
		for (int id = 1; id <= 40; id++)
			frame_rig_add(&r.rig, &(struct rig_task){.id = id, .cpu_ns = 250000000});
		ui_rig_build(&r);
		tap_ok(ui_rig_shows(&r, size[i].line), "%dx%d", size[i].width, size[i].height);
		tap_int((int)r.ui.rows.page, size[i].rows, "and its rows");
		ui_rig_done(&r);
	}
}

/* In a pid namespace, or with hidepid, more threads run than are visible. */
static void test_contained(void)
{
	struct ui_rig r;

	ui_rig_init(&r, 80, 24);
	frame_rig_add(&r.rig, &(struct rig_task){.id = 1, .cpu_ns = 250000000});
	r.rig.sample[1].host.n_running = 3;
	ui_rig_build(&r);
	tap_ok(ui_rig_shows(&r, ",    3 running,    1 shown"), "how many threads run");
	r.rig.sample[1].host.contained = true;
	ui_rig_build(&r);
	tap_ok(ui_rig_shows(&r, ",    3 running on the machine,    1 shown"), "and where");
	r.rig.sample[1].host.contained = false;
	r.rig.sample[1].host.hides = true;
	ui_rig_build(&r);
	tap_ok(ui_rig_shows(&r, "Tasks:    1 total, others hidden,    3 running on the machine,"),
	       "as where /proc hides those of other users");
	ui_rig_done(&r);
}

/* The names of kernel workers are cut where the terminal is narrow; other ids never are. */
static void test_id(void)
{
	static const struct {
		int width, wanted;
	} table[] = {{50, 17}, {80, 17}, {100, 20}, {200, 32}};
	struct layout l = {0};
	struct frame_rig r;
	struct kind kind;

	begin(&r);
	frame_rig_build(&r);
	kind = *r.frame.kind;
	r.frame.kind = &kind;
	for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
		kind.id_is_comm = true;
		r.frame.id_width = FRAME_ID_MAX;
		layout_fit(&l, &r.frame, 0, 3, table[i].width);
		tap_int(l.id, table[i].wanted, "names of tasks in %d columns", table[i].width);
		r.frame.id_width = 7;
		layout_fit(&l, &r.frame, 0, 3, table[i].width);
		tap_int(l.id, 7, "and short ones");
		kind.id_is_comm = false;
		r.frame.id_width = FRAME_ID_MAX;
		layout_fit(&l, &r.frame, 0, 3, table[i].width);
		tap_int(l.id, FRAME_ID_MAX, "and other ids");
	}
	frame_rig_done(&r);
}

/* Parts that the user has chosen are shown on a low screen, too. */
static void test_chosen(void)
{
	struct ui_rig r;
	struct err err = ERR_INIT;

	ui_rig_init(&r, 80, 24);
	r.rig.view.idle = r.rig.view.total = true;
	tap_int(parts_parse("title,total", &r.rig.view.hidden, &err), 0, "parts by name");
	for (int id = 1; id <= 40; id++)
		frame_rig_add(&r.rig, &(struct rig_task){.id = id, .cpu_ns = 250000000});
	ui_rig_build(&r);
	tap_ok(ui_rig_shows(&r, "tiptop - up"), "the title");
	tap_ok(ui_rig_shows(&r, "40 tasks"), "the total");
	tap_int((int)r.ui.rows.page, 21, "and rows in all lines but these and the names");
	canvas_resize(&r.canvas, 80, 5);
	ui_rig_build(&r);
	tap_ok(ui_rig_shows(&r, "tiptop - up") && ui_rig_shows(&r, "40 tasks"),
	       "both on one of 5 lines");
	tap_int((int)r.ui.rows.page, 2, "with two rows");
	canvas_resize(&r.canvas, 80, 3);
	ui_rig_build(&r);
	tap_ok(!ui_rig_shows(&r, "tiptop - up"), "where no row had a line, they make room");
	canvas_resize(&r.canvas, 80, 24);
	tap_int(parts_parse("full", &r.rig.view.hidden, &err), 0, "all parts");
	ui_rig_build(&r);
	tap_ok(ui_rig_shows(&r, "tiptop - up") && ui_rig_shows(&r, "40 tasks"), "are all there");
	ui_rig_done(&r);
}

int main(void)
{
	test_chosen();
	test_id();
	test_room();
	test_text_first();
	test_nothing_jumps();
	test_left_out();
	test_priorities();
	test_scrolling();
	test_command();
	test_more_command();
	test_mark();
	test_low();
	test_contained();
	return tap_done();
}
