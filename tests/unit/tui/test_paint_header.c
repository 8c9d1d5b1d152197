/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The lines around the table, for frames of made-up tasks.
 */
#include <locale.h>

#include "base/log.h"
#include "base/mem.h"
#include "frame_rig.h"
#include "golden.h"
#include "model/fold_groups.h"
#include "tui/keys.h"
#include "tui/paint.h"
#include "view/view.h"

struct fixture {
	struct frame_rig rig;
	struct screen_list screens;
	struct ui_state ui;
	struct live_info info;
	struct log log;
	float least_share;
	const struct use_delta *use; /* NULL: unknown */
	size_t n_unknown;
	struct canvas canvas;
	struct strbuf text;
};

/* more: number of columns beside %CPU. */
static void begin_columns(struct fixture *f, int more)
{
	static const char *const name[] = {"default", "branch",   "imix",     "FP",
					   "mem",     "memory",   "stalls",   "frontend",
					   "topdown", "flops_dp", "software", "tasks"};
	struct screen *s = screen_new("mine", "");

	*f = (struct fixture){.screens = SCREEN_LIST_INIT, .log = LOG_INIT, .canvas = CANVAS_INIT};
	strbuf_init(&f->text);
	screen_add_column(s, " %CPU", "%5.1f", NULL, "CPU_TOT");
	for (int i = 0; i < more; i++) {
		char header[] = {' ', ' ', 'L', 'O', 'N', 'G', (char)('A' + i), '\0'};

		screen_add_column(s, header, "%7.1f", NULL, "CPU_TOT");
	}
	frame_rig_init(&f->rig, s);
	for (size_t i = 0; i < sizeof name / sizeof *name; i++)
		screen_list_add(&f->screens, screen_new(name[i], ""));
	screen_list_number(&f->screens);
	f->info = (struct live_info){.user = "alice", .screens = &f->screens, .log = &f->log};
	frame_rig_add(&f->rig, &(struct rig_task){.id = 10, .cpu_ns = 500000000});
}

static void begin(struct fixture *f)
{
	begin_columns(f, 0);
}

static void end(struct fixture *f)
{
	ui_state_done(&f->ui);
	frame_rig_done(&f->rig);
	screen_list_done(&f->screens);
	log_done(&f->log);
	canvas_done(&f->canvas);
	strbuf_done(&f->text);
}

/* Paints a screen of this size. Returns its line y, valid until the next call. */
static const char *line(struct fixture *f, int width, int height, int y)
{
	char *from;

	canvas_resize(&f->canvas, width, height);
	frame_rig_build(&f->rig);
	f->rig.frame.least_share = f->least_share;
	f->rig.frame.n_unknown = f->n_unknown;
	f->rig.frame.use = f->use;
	paint_screen(&f->canvas, &f->ui, &f->rig.frame, &f->info);
	strbuf_reset(&f->text);
	canvas_dump(&f->canvas, false, &f->text);
	for (from = f->text.text; y > 0; y--)
		from = strchr(from, '\n') + 1;
	*strchr(from, '\n') = '\0';
	return from;
}

#define TABS_LINE 2

static void test_tabs(void)
{
	struct fixture f;
	bool all = true;

	begin(&f);
	tap_str(line(&f, 130, 30, TABS_LINE),
		" 0 default  1 branch  2 imix  3 FP  4 mem  5 memory  6 stalls  7 frontend "
		" 8 topdown  9 flops_dp  10 software  11 tasks",
		"all tabs, where they have room");
	tap_str(line(&f, 80, 30, TABS_LINE),
		"  0 default  1 branch  2 imix  3 FP  4 mem  5 memory  6 stalls  7 frontend     >",
		"a mark says that there are more at the right");
	f.rig.view.screen = 7;
	tap_str(line(&f, 80, 30, TABS_LINE),
		"  0 default  1 branch  2 imix  3 FP  4 mem  5 memory  6 stalls  7 frontend     >",
		"they stay where they are as long as the present one is among them");
	f.rig.view.screen = 8;
	tap_str(line(&f, 80, 30, TABS_LINE),
		"< 1 branch  2 imix  3 FP  4 mem  5 memory  6 stalls  7 frontend  8 topdown     >",
		"then they move so that it is");
	f.rig.view.screen = 11;
	tap_str(line(&f, 80, 30, TABS_LINE),
		"< 5 memory  6 stalls  7 frontend  8 topdown  9 flops_dp  10 software  11 tasks",
		"the last one");
	f.rig.view.screen = 9;
	for (int width = 14; width <= 130; width++)
		all = all && strstr(line(&f, width, 30, TABS_LINE), " 9 flops_dp");
	tap_ok(all, "at any width that has room for it, the present tab is there");
	tap_str(line(&f, 8, 30, TABS_LINE), "< 9 fl\u2026>", "where there is none, it is cut");
	tap_str(line(&f, 40, 11, 0), "Tasks:    1 total,    1 sh\u2026  9 flops_dp",
		"a low screen has it behind the tasks");
	end(&f);
}

/* A wider screen has all hints of narrower ones, in the same order. In a recording, its own hints
 * come first. */
static void test_footer(void)
{
	static const struct own_cost cost = {.cpu_us = 5000, .tasks = 100};
	char before[256] = "";
	struct fixture f;
	bool all = true;

	begin(&f);
	for (int width = 40; width <= 250; width++) {
		char *now, *end;

		canvas_resize(&f.canvas, width, 30);
		frame_rig_build(&f.rig);
		f.rig.frame.cost = &cost;
		paint_screen(&f.canvas, &f.ui, &f.rig.frame, &f.info);
		strbuf_reset(&f.text);
		canvas_dump(&f.canvas, false, &f.text);
		f.text.text[f.text.len - 1] = '\0';
		now = strrchr(f.text.text, '\n') + 1;
		end = strstr(now, "tiptop:");
		for (end = end ? end : now + strlen(now); end > now && end[-1] == ' ';)
			end--;
		*end = '\0';
		all = all && !strncmp(now, before, strlen(before));
		snprintf(before, sizeof before, "%s", now);
	}
	tap_ok(all, "no wider screen has fewer hints: %s", before);
	tap_ok(!strstr(before, "step"), "those of a recording are not there");
	f.ui.replay = true;
	tap_ok(strstr(line(&f, 80, 30, 29), "h help  q quit  , . step  { } minute  ( ) speed"),
	       "but in one they come first");
	end(&f);
}

/* Screen 2 and the hidden screen 12 cannot be filled by this machine; screen 13 is for rows of
 * another kind. */
static void test_lacking(void)
{
	struct screen_list hidden = SCREEN_LIST_INIT;
	struct fixture f;
	struct cell *cell;

	begin(&f);
	for (int i = 0; i < 2; i++) {
		screen_list_add(&hidden, screen_new(i ? "locks" : "numa", ""));
		hidden.v[i]->number = 12 + i;
	}
	hidden.v[0]->lacking = f.screens.v[2]->lacking = true;
	hidden.v[1]->needs = xstrdup("others");
	f.info.hidden = &hidden;
	tap_ok(strstr(line(&f, 140, 30, TABS_LINE), " 2 imix  3 FP ") &&
		       strstr(f.text.text, " 11 tasks  12 numa"),
	       "they have tabs where all have room");
	tap_ok(!strstr(f.text.text, "locks"), "one for other rows has none");
	cell = &f.canvas.cell[TABS_LINE * f.canvas.width];
	tap_int(cell[1].attr, LOOK_TAB_CURRENT, "the present one");
	tap_int(cell[13].attr, LOOK_TAB, "another one");
	tap_int(cell[23].attr, LOOK_FAINT, "one that cannot be filled is dim");
	tap_str(line(&f, 80, 30, TABS_LINE),
		"  0 default  1 branch  3 FP  4 mem  5 memory  6 stalls  7 frontend  8 topdown  >",
		"else they go first");
	f.screens.v[2]->lacking = false;
	f.screens.v[11]->lacking = true;
	f.screens.v[11]->number = 14;
	tap_ok(strstr(line(&f, 130, 30, TABS_LINE), " 10 software  12 numa  14 tasks"),
	       "all of them again");
	tap_ok(strstr(line(&f, 120, 30, TABS_LINE), " 10 software  14 tasks"),
	       "those that are for other CPUs go before those that this one could fill");
	f.info.hidden = NULL;
	screen_list_done(&hidden);
	end(&f);
}

#define TASKS_LINE 1

/* The number of tasks, and why some of them are not shown. */
static void test_hidden(void)
{
	struct fixture f;

	begin(&f);
	for (int i = 0; i < 3; i++)
		frame_rig_add(&f.rig, &(struct rig_task){.id = 20 + i, .uid = 1000});
	tap_str(line(&f, 80, 30, TASKS_LINE), "Tasks:    4 total,    1 shown,    3 idle, every 1 s",
		"idle ones");
	f.rig.view.idle = true;
	tap_str(line(&f, 80, 30, TASKS_LINE), "Tasks:    4 total,    4 shown, every 1 s",
		"where they are shown, no task is hidden");
	f.rig.view.filter.uid = 1000;
	f.rig.sample[1].n_left_out = 7;
	tap_str(line(&f, 80, 30, TASKS_LINE),
		"Tasks:   11 total,    3 shown,    8 of other users, every 1 s",
		"those of others, also those that were not looked at");
	f.rig.view.filter.text = "nobody";
	f.rig.sample[1].host.n_running = 3;
	tap_str(line(&f, 80, 30, TASKS_LINE),
		"Tasks:   11 total,    3 running,    0 shown,   11 filtered out, every 1 s",
		"by a filter");
	tap_str(line(&f, 50, 30, TASKS_LINE), "Tasks:   11 total,    3 running,    0 shown",
		"what has no room is left out");
	f.rig.view.threads = true;
	f.rig.view.filter = (struct filter)FILTER_ALL;
	f.rig.view.idle = false;
	tap_str(line(&f, 90, 30, TASKS_LINE),
		"Threads:    4 total,    3 running,    1 shown,    3 idle, 7 processes filtered "
		"out",
		"of processes that were not looked at, threads are not known");
	end(&f);
}

/* Idle ancestors above a row are counted as shown. */
static void test_above(void)
{
	struct fixture f;

	begin(&f);
	f.rig.view.tree = true;
	frame_rig_add(&f.rig, &(struct rig_task){.id = 20, .uid = 1000});
	frame_rig_add(&f.rig, &(struct rig_task){.id = 21, .uid = 1000, .parent = 20});
	frame_rig_add(&f.rig,
		      &(struct rig_task){.id = 22, .uid = 1000, .parent = 21, .cpu_ns = 5e8});
	tap_str(line(&f, 80, 30, TASKS_LINE), "Tasks:    4 total,    4 shown, every 1 s",
		"two idle ones stand above one that ran");
	frame_rig_add(&f.rig, &(struct rig_task){.id = 23, .uid = 1000});
	tap_str(line(&f, 80, 30, TASKS_LINE), "Tasks:    5 total,    4 shown,    1 idle, every 1 s",
		"of the idle ones, one is not shown");
	f.rig.view.filter = (struct filter)FILTER_ALL;
	f.rig.view.filter.pid = 22;
	tap_str(line(&f, 80, 30, TASKS_LINE),
		"Tasks:    5 total,    3 shown,    2 filtered out, every 1 s",
		"nor are rows above filtered out");
	end(&f);
}

static void test_pmu(void)
{
	struct fixture f;

	begin(&f);
	f.info.pmu = "skylake 4+3";
	f.least_share = 1;
	tap_str(line(&f, 80, 30, TASKS_LINE),
		"Tasks:    1 total,    1 shown, every 1 s                         PMU skylake 4+3",
		"what counts here");
	f.least_share = 0.62f;
	tap_str(line(&f, 80, 30, TASKS_LINE),
		"Tasks:    1 total,    1 shown, every 1 s      PMU skylake 4+3,  62 % of the time",
		"and for which part of the time, where events take turns");
	tap_str(line(&f, 60, 30, TASKS_LINE), "Tasks:    1 total,    1 shown, every 1 s",
		"where it has no room, it is left out");
	f.n_unknown = 2;
	f.rig.view.cpu_min = 99;
	tap_ok(strstr(line(&f, 80, 30, TASKS_LINE), "2 unknown to the filter"),
	       "the number of those that a filter cannot judge is shown");
	end(&f);
}

static void test_host(void)
{
	static const char *const none[] = {NULL};
	const struct sample_machine from = {.arch = "",
					    .model = "",
					    .boot_id = "",
					    .host = "build7.example.org",
					    .core = none,
					    .pmu = none};
	struct sample_machine *m = sample_machine_new(&from);
	struct fixture f;

	begin(&f);
	sample_set_machine(&f.rig.sample[1], m);
	sample_machine_unref(m);
	tap_ok(!strcmp(line(&f, 90, 30, 0) + 78, "alice@build7"), "who, and where");
	end(&f);
}

/* Returns the first cell of a line that has a decimal point, -1 if there is none. */
static int find_point(const struct fixture *f, int y, int width)
{
	for (int x = 0; x < width; x++)
		if (f->canvas.cell[y * width + x].ch == L'.')
			return x;
	return -1;
}

/* Names whose width differs from their number of characters, and names with control characters. */
static void test_wide(void)
{
	static const char *const name[] = {"\u4e2d\u6587", "e\u0301a", "x\xff\033[2J", "plain"};
	struct kind texts = kind_task;
	struct fixture f;
	bool all = true;

	begin(&f);
	texts.id_is_text = true;
	for (int i = 0; i < 4; i++)
		frame_rig_add(&f.rig, &(struct rig_task){.id = 20 + i,
							 .name = name[i],
							 .user = name[i],
							 .cmdline = name[i],
							 .cpu_ns = 500000000});
	for (int k = 0; k < 2; k++)
		for (size_t i = 0; i < f.rig.sample[k].n; i++)
			f.rig.sample[k].task[i]->kind = &texts;
	f.rig.view.show_user = f.rig.view.show_cmdline = true;
	for (int width = 1; width < 60; width++) {
		line(&f, width, 8, 0);
		for (int y = 2; width >= 45 && y < 7; y++)
			all = all && find_point(&f, y, width) > 0 &&
			      find_point(&f, y, width) == find_point(&f, 2, width);
	}
	tap_ok(all, "numbers stand in their column, whatever the names");
	tap_ok(strstr(line(&f, 60, 8, 5), "x??[2J"), "nothing harmful is shown");
	end(&f);
}

/* The line of column names, with marks for columns left out on either side. */
static void test_scrolled(void)
{
	struct fixture f;

	begin_columns(&f, 4);
	tap_str(line(&f, 45, 5, 0), "  PID [%CPU] LONGA LONGB > COMMAND",
		"columns that have no room");
	layout_scroll(&f.ui.layout, 1, 0);
	tap_str(line(&f, 45, 5, 0), "  PID < [%CPU] LONGB LONGC > COMMAND", "at both sides");
	layout_scroll(&f.ui.layout, 1, 0);
	tap_str(line(&f, 45, 5, 0), "  PID < [%CPU] LONGC LONGD  COMMAND", "to the end");
	end(&f);
}

#define MAX_WIDTH 90

static bool stands_alone(const wchar_t *name, int width, int at, int by)
{
	return at + by < 0 || at + by >= width || name[at + by] == L' ';
}

/* Returns whether the brackets around the name of the sort column touch no other text. */
static bool brackets_stand_alone(struct fixture *f, int width)
{
	wchar_t name[MAX_WIDTH];
	bool alone = true;
	int n = 0;

	line(f, width, 5, 0);
	for (int x = 0; x < width; x++)
		name[x] = f->canvas.cell[x].ch;
	for (int x = 0; x < width; x++)
		if (name[x] == L'[' || name[x] == L']') {
			alone = alone && stands_alone(name, width, x, name[x] == L'[' ? -1 : 1);
			n++;
		}
	return alone && n == 2;
}

static void test_brackets(void)
{
	struct fixture f;
	int n = 0;

	begin_columns(&f, 4);
	for (f.rig.view.sort = SORT_USER; f.rig.view.sort <= 5; f.rig.view.sort++)
		for (int k = 0; k < 4; k++)
			for (int width = 36; width <= MAX_WIDTH; width++) {
				f.rig.view.show_user = k & 1 || f.rig.view.sort == SORT_USER;
				f.ui.layout.first = k & 2 ? 2 : 0;
				n += !brackets_stand_alone(&f, width);
			}
	tap_int(n, 0, "nothing touches the brackets, whatever sorts, at each width");
	end(&f);
}

static void test_parts(void)
{
	struct fixture f;

	begin(&f);
	f.rig.view.total = true;
	tap_int(keys_apply(&f.ui, &f.rig.view, &f.screens, 'l'), REACT_REBUILD, "l hides parts");
	tap_str(line(&f, 80, 30, 1),
		"Tasks:    1 total,    1 shown, every 1 s                              0 default",
		"the tasks stay, with the present tab");
	tap_str(line(&f, 80, 30, 2), "  PID [ %CPU] COMMAND", "and the table");
	tap_ok(strstr(line(&f, 80, 30, 29), "help"), "and the keys");
	tap_ok(!f.rig.view.total, "no total is computed");
	keys_apply(&f.ui, &f.rig.view, &f.screens, 'l');
	tap_str(line(&f, 80, 30, 0), "  PID [ %CPU] COMMAND", "then the table is alone");
	tap_str(line(&f, 80, 30, 29), "", "up to the last line");
	keys_apply(&f.ui, &f.rig.view, &f.screens, 'l');
	tap_ok(strstr(line(&f, 80, 30, 2), "1 branch") && f.rig.view.total,
	       "then all is there again");
	f.rig.view.hidden =
		PARTS_ALL & ~(PART_BIT(PART_NAMES) | PART_BIT(PART_ROWS) | PART_BIT(PART_TABS));
	tap_ok(strstr(line(&f, 80, 30, 0), "1 branch"), "any part can be the only one");
	end(&f);
}

static void test_total(void)
{
	struct fixture f;

	begin(&f);
	frame_rig_add(&f.rig, &(struct rig_task){.id = 11, .cpu_ns = 250000000});
	tap_ok(!strstr(line(&f, 80, 30, 28), "total"), "no total where the view wants none");
	f.rig.view.total = true;
	tap_str(line(&f, 80, 30, 28), "total   75.0  2 tasks", "the total is above the keys");
	tap_str(line(&f, 80, 60, 58), "total   75.0  2 tasks", "on a larger screen, too");
	tap_str(line(&f, 80, 29, 27), "", "a lower one has none");
	f.rig.view.hidden = PART_BIT(PART_TOTAL);
	tap_str(line(&f, 80, 30, 28), "", "it can be hidden");
	f.rig.view.hidden = 0;
	f.rig.view.cpu_min = 99;
	tap_str(line(&f, 80, 30, 28), "", "where no row is, its line is empty");
	end(&f);
}

/* All parts but the footer, at several sizes. */
static void test_whole(void)
{
	static const int sizes[][2] = {{20, 5}, {40, 12}, {80, 24}, {132, 43}, {200, 60}, {1, 1}};
	struct cpu_share share[8];
	const struct use_delta use = {
		.wanted = true,
		.share = share,
		.n_shares = 8,
		.memory = {.total = 16 << 20,
			   .available = 12 << 20,
			   .free = 8 << 20,
			   .swap_total = 2 << 20,
			   .swap_free = 2 << 20},
	};
	struct fixture f;
	char name[32];

	for (int i = 0; i < 8; i++) {
		share[i] = (struct cpu_share){.cpu = i, .busy = value_exact(10 * i)};
		for (int k = 0; k < N_CPU_STATES; k++)
			share[i].in[k] = value_exact(k == CPU_USER ? 10 * i : 0);
	}
	begin(&f);
	for (int i = 0; i < 30; i++)
		frame_rig_add(&f.rig,
			      &(struct rig_task){.id = 20 + i, .cpu_ns = (uint64_t)i << 24});
	f.use = &use;
	f.info.pmu = "skylake 4+3";
	f.least_share = 0.62f;
	f.rig.view.total = true;
	f.rig.view.screen = 3;
	f.info.note = "a note that must be seen";
	/* The hints of the footer depend on the table of keys. */
	f.rig.view.hidden = PART_BIT(PART_FOOTER);
	for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
		line(&f, sizes[i][0], sizes[i][1], 0);
		snprintf(name, sizeof name, "whole-%dx%d", sizes[i][0], sizes[i][1]);
		golden_check_canvas(&f.canvas, name);
	}
	end(&f);
}

/* The title names the kind of rows. For groups, it counts their living members. */
static void test_kinds(void)
{
	struct delta groups;
	struct retired_groups retired;
	struct fixture f;
	const struct filter all = FILTER_ALL;
	const struct grouping by = {.key = GROUP_USER, .filter = &all};

	begin(&f);
	frame_rig_add(&f.rig, &(struct rig_task){.id = 20, .cpu_ns = 1, .dead = true});
	tap_str(line(&f, 80, 30, TASKS_LINE), "Tasks:    2 total,    2 shown, every 1 s", "tasks");
	f.ui.replay = true;
	tap_str(line(&f, 80, 30, TASKS_LINE),
		"Tasks:    2 total,    2 shown, an interval of 1.00 s", "those of a recording");
	f.ui.replay = false;
	f.rig.view.threads = true;
	tap_str(line(&f, 80, 30, TASKS_LINE), "Threads:    2 total,    2 shown, every 1 s",
		"threads");
	f.rig.view.threads = false;
	f.rig.view.group = GROUP_USER;
	delta_init(&groups);
	retired_groups_init(&retired);
	line(&f, 80, 30, TASKS_LINE);
	fold_groups(&groups, &f.rig.processes, &by, &retired);
	frame_build(&f.rig.frame, &f.rig.binding, &f.rig.view, &groups, NULL, 1);
	paint_screen(&f.canvas, &f.ui, &f.rig.frame, &f.info);
	strbuf_reset(&f.text);
	canvas_dump(&f.canvas, false, &f.text);
	tap_ok(strstr(f.text.text, "Users:    1 shown,    1 tasks, every 1 s"),
	       "groups, and how many tasks are in them");
	retired_groups_done(&retired);
	delta_done(&groups);
	end(&f);
}

int main(void)
{
	setlocale(LC_CTYPE, "C.UTF-8");
	test_tabs();
	test_lacking();
	test_footer();
	test_kinds();
	test_hidden();
	test_above();
	test_pmu();
	test_host();
	test_wide();
	test_scrolled();
	test_brackets();
	test_parts();
	test_total();
	test_whole();
	return tap_done();
}
