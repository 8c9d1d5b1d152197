/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The panel that explains a column. Made-up tasks go through delta and frame, key presses through
 * keys_apply(), and the canvas is compared with tests/golden/ui/explain-NAME.txt.
 */
#include <locale.h>

#include "base/log.h"
#include "frame_rig.h"
#include "golden.h"
#include "model/fact_list.h"
#include "model/fold_groups.h"
#include "screen/binding.h"
#include "tui/key.h"
#include "tui/keys.h"
#include "tui/paint.h"
#include "view/view.h"

#define MEANING "instructions that were retired; those of wrong guesses are not counted"

#define EVENT(counter, what, pmu, code, modes, meaning)                                            \
	{                                                                                          \
		(char *)(counter), (char *)(what), (char *)(pmu), (char *)(code), (char *)(modes), \
			(char *)(meaning)                                                          \
	}

/* Origins of the events, as the program would find them on a machine with one kind of cores, and
 * with two. */
static struct origin one_table[] = {
	EVENT("instr", "instructions", "cpu", "type 0, config 0x1", "user mode and kernel",
	      MEANING),
	EVENT("cycle", "CPU_CLK_UNHALTED:THREAD_P", "cpu", "type 4, config 0x53003c, config1 0x10",
	      "user mode", NULL),
	EVENT("none", NULL, NULL, NULL, NULL, NULL),
};
static struct origin two_table[] = {
	EVENT("instr", "instructions", "cpu_core", "type 0, config 0x400000001", "user mode",
	      MEANING),
	EVENT("instr", "instructions", "cpu_atom", "type 0, config 0xa00000001", "user mode",
	      MEANING),
	EVENT("cycle", "cycles", "cpu_core", "type 0, config 0x400000000", "user mode", NULL),
	EVENT("cycle", NULL, NULL, NULL, NULL, NULL),
};
static const struct origins one_kind = {one_table, 3}, two_kinds = {two_table, 4};

struct fixture {
	struct frame_rig rig;
	struct screen_list screens;
	struct ui_state ui;
	struct live_info info;
	struct canvas canvas;
};

static struct screen *make_screen(void)
{
	struct screen *s = screen_new("default", "a test");

	screen_add_counter(s, "instr", "1", NULL);
	screen_add_counter(s, "cycle", "0", NULL);
	screen_add_counter(s, "none", "9", NULL);
	screen_add_column(s, "  IPC", " %4.2f", "instructions per cycle",
			  "delta(instr) / delta(cycle)");
	screen_add_column(s, "  %BEST", "%6.1f", "how near it comes to 4 instructions per cycle",
			  "100 * [IPC] / 4");
	screen_add_column(s, "  INSTR", "%20.0f", NULL, "if(instr > 0, instr, 0)");
	screen_add_column(s, " NONE", "%5.1f", "an event that this machine lacks", "delta(none)");
	screen_add_column(s, " %CPU", "%5.1f", "CPU usage (% of one CPU)", "CPU_TOT");
	screen_add_column(s, " %SYS", "%5.1f", "CPU usage in the kernel (% of one CPU)", "CPU_SYS");
	screen_add_column(s, "   RSS", "%6.0f", "memory in RAM", "RSS_KB");
	screen_add_column(s, " VCSW", "%5.0f", "waits", "delta(VCSW) + 0 * VCSW");
	screen_add_column(s, " %FAST", "%6.1f", "time on the faster cores", "FAST_CORES");
	return s;
}

enum { IPC, BEST, INSTR, NONE, CPU, SYS, RSS, VCSW, FAST, COMMAND };

static void set_facts(struct fixture *f)
{
	for (uint64_t k = 0; k < 2; k++)
		for (size_t i = 0; i < f->rig.sample[k].n; i++) {
			struct task *t = f->rig.sample[k].task[i];

			frame_rig_set_fact(t, FACT_VCSW, 40 + k * 2 * i);
			frame_rig_set_fact(t, FACT_RSS_KB, 1000 * (3 - i));
			t->facts_read = 4;
		}
}

static void begin(struct fixture *f, int width, int height)
{
	memset(f, 0, sizeof *f);
	screen_list_add(&f->screens, make_screen());
	screen_list_number(&f->screens);
	frame_rig_init(&f->rig, f->screens.v[0]);
	f->rig.events->event[2].quality = QUALITY_UNSUPPORTED;
	for (unsigned k = 0; k < 2; k++)
		f->rig.sample[k].number = 4 + k;
	f->info = (struct live_info){.user = "alice", .screens = &f->screens, .origins = &one_kind};
	f->rig.view.idle = true;
	f->rig.view.sort = IPC;
	canvas_resize(&f->canvas, width, height);
}

static void end(struct fixture *f)
{
	ui_state_done(&f->ui);
	canvas_done(&f->canvas);
	free(f->screens.v);
	frame_rig_done(&f->rig); /* and with it the screen */
}

static void build(struct fixture *f)
{
	static const struct log log = LOG_INIT;

	f->info.log = &log;
	frame_rig_build(&f->rig);
	paint_screen(&f->canvas, &f->ui, &f->rig.frame, &f->info);
}

/* Adds a process of two threads, and one of a single thread. */
static void add_tasks(struct fixture *f)
{
	frame_rig_add(&f->rig, &(struct rig_task){.id = 4711,
						  .name = "simul\nate",
						  .counting = COUNT_OK,
						  .count = {3000000000, 1500000000, 0},
						  .cpu_ns = 500000000,
						  .stime_ns = 40000000,
						  .processor = 3});
	frame_rig_add(&f->rig, &(struct rig_task){.id = 4712,
						  .pid = 4711,
						  .name = "worker",
						  .counting = COUNT_OK,
						  .count = {1000000000, 500000000, 0},
						  .cpu_ns = 250000000,
						  .share_pct = 50});
	frame_rig_add(&f->rig,
		      &(struct rig_task){
			      .id = 99, .name = "secret", .counting = COUNT_DENIED, .cpu_ns = 1});
	set_facts(f);
	build(f);
}

static void press(struct fixture *f, const int *key, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		keys_apply(&f->ui, &f->rig.view, &f->screens, key[i]);
		build(f);
	}
}

#define PRESS(f, ...)                                                                              \
	press(f, (const int[]){__VA_ARGS__}, sizeof((const int[]){__VA_ARGS__}) / sizeof(int))

static void golden(struct fixture *f, const char *name)
{
	paint_screen(&f->canvas, &f->ui, &f->rig.frame, &f->info);
	golden_check_canvas(&f->canvas, name);
}

static bool shows(struct fixture *f, const char *text)
{
	struct strbuf dump;
	bool found;

	strbuf_init(&dump);
	canvas_dump(&f->canvas, false, &dump);
	found = strstr(dump.text, text);
	if (!found)
		tap_show("got", dump.text);
	strbuf_done(&dump);
	return found;
}

static void test_columns(void)
{
	static const char *const name[] = {
		[IPC] = "explain-ipc",     [BEST] = "explain-column-of-column",
		[INSTR] = "explain-total", [NONE] = "explain-none",
		[CPU] = "explain-cpu",     [SYS] = "explain-sys",
		[RSS] = "explain-stale",   [VCSW] = "explain-fact",
		[FAST] = "explain-fast",   [COMMAND] = "explain-command",
	};
	struct fixture f;

	begin(&f, 80, 24);
	add_tasks(&f);
	PRESS(&f, 'x');
	for (int i = IPC; i <= COMMAND; i++) {
		golden(&f, name[i]);
		PRESS(&f, '>');
	}
	end(&f);
}

static void test_rows(void)
{
	struct fixture f;

	begin(&f, 80, 24);
	f.rig.view.threads = true;
	for (int k = 0; k < 2; k++)
		f.rig.sample[k].threads = true;
	add_tasks(&f);
	f.rig.view.watching = true;
	f.rig.view.watch.pid = 4712;
	PRESS(&f, 'x');
	golden(&f, "explain-thread-watched");
	f.rig.view.watch.pid = 99;
	build(&f);
	golden(&f, "explain-denied");
	f.rig.view.watching = false;
	PRESS(&f, 'q', KEYCODE_DOWN, 'x');
	build(&f);
	tap_ok(shows(&f, "thread 4712 worker, the current row"), "the current row, not the first");
	f.rig.view.sort = CPU;
	build(&f);
	tap_ok(shows(&f, "0.250000 s on a CPU in the last interval of 1.000000 s: 25.0 % of one"),
	       "of its time on a CPU, the interval and the share");
	tap_ok(shows(&f, "source   its CPU clock; of a thread, schedstat;"), "and the source");
	for (size_t i = 0; i < f.rig.frame.n; i++)
		((struct delta_row *)(uintptr_t)f.rig.frame.row[i].from)->cpu_counted = true;
	paint_screen(&f.canvas, &f.ui, &f.rig.frame, &f.info);
	tap_ok(shows(&f, "source   the time that its counters were enabled"),
	       "which may be a counter");
	f.rig.view.sort = IPC;
	build(&f);
	f.rig.view.filter.text = "nobody";
	build(&f);
	golden(&f, "explain-no-row");
	f.info.origins = NULL;
	build(&f);
	tap_ok(shows(&f, "event    not known"), "without the texts of the events");
	end(&f);
}

/* Two kinds of cores: instr is counted on both, cycle on the faster ones only. */
static void test_hybrid(void)
{
	struct sample_event *event;
	struct fixture f;

	begin(&f, 80, 24);
	frame_rig_set_events(&f.rig, 5);
	event = f.rig.events->event;
	event[2].quality = event[4].quality = QUALITY_UNSUPPORTED;
	f.rig.events->in_parts = true;
	event[3].part_of = 1;
	event[4].part_of = 2;
	event[3].core = event[4].core = 1;
	f.info.origins = &two_kinds;
	frame_rig_add(&f.rig, &(struct rig_task){.id = 4711,
						 .name = "simulate",
						 .counting = COUNT_OK,
						 .count = {3000000000, 1500000000, 0, 500000000},
						 .cpu_ns = 1000000000,
						 .share_pct = 50});
	set_facts(&f);
	build(&f);
	PRESS(&f, 'x');
	golden(&f, "explain-hybrid");
	for (int i = IPC; i < FAST; i++)
		PRESS(&f, '>');
	golden(&f, "explain-hybrid-fast");
	end(&f);
}

/* An event may be in several groups. The panel shows the one to which the column is bound. */
static void test_bound(void)
{
	struct sample_event *event;
	struct fixture f;

	begin(&f, 80, 24);
	frame_rig_set_events(&f.rig, 4);
	event = f.rig.events->event;
	event[3].config = event[0].config;
	event[1].group = event[3].group = 1;
	frame_rig_add(&f.rig, &(struct rig_task){.id = 4711,
						 .name = "simulate",
						 .counting = COUNT_OK,
						 .count = {3000000000, 1500000000, 0,
							   UINT64_MAX - 10000000000},
						 .cpu_ns = 1000000000});
	build(&f);
	PRESS(&f, 'x');
	tap_ok(shows(&f, "value    18446744063709551715 since it was opened"),
	       "that of the group of the ratio");
	tap_ok(shows(&f, "last     18446744063709551615 in the last interval"),
	       "with all its digits");
	PRESS(&f, '>', '>');
	tap_ok(shows(&f, "value    3000000100 since it was opened"),
	       "the first one in a column of its own");
	end(&f);
}

static void test_sizes(void)
{
	static const struct {
		int width, height;
	} size[] = {{40, 15}, {20, 5}, {200, 40}, {1, 1}};
	char name[48];
	struct fixture f;

	for (size_t i = 0; i < sizeof size / sizeof size[0]; i++) {
		begin(&f, size[i].width, size[i].height);
		add_tasks(&f);
		PRESS(&f, 'x');
		snprintf(name, sizeof name, "explain-%dx%d", size[i].width, size[i].height);
		golden(&f, name);
		end(&f);
	}
	begin(&f, 40, 15);
	add_tasks(&f);
	PRESS(&f, 'x', KEYCODE_PGDN, KEYCODE_UP);
	golden(&f, "explain-scrolled");
	PRESS(&f, '>');
	tap_int(f.ui.panel_lines.top, 0, "another column is read from its start");
	/* At any size, the sanitizers find no error. */
	for (int width = 0; width <= 90; width += 3)
		for (int height = 0; height <= 26; height++) {
			canvas_resize(&f.canvas, width, height);
			PRESS(&f, KEYCODE_END, KEYCODE_PGUP);
		}
	tap_ok(f.ui.panel == PANEL_EXPLAIN, "any size is painted");
	end(&f);
}

/* For rows of groups, the fields beside the columns are explained under the names that the header
 * has for them. */
static void test_groups(void)
{
	struct fixture f;
	struct delta delta;
	struct retired_groups retired;
	const struct grouping by = {.key = GROUP_SESSION, .filter = &f.rig.view.filter};

	begin(&f, 80, 24);
	add_tasks(&f);
	delta_init(&delta);
	retired_groups_init(&retired);
	fold_groups(&delta, &f.rig.processes, &by, &retired);
	f.rig.view.group = by.key;
	f.rig.view.sort = SORT_PID;
	f.ui.panel = PANEL_EXPLAIN;
	frame_build(&f.rig.frame, &f.rig.binding, &f.rig.view, &delta, NULL, 1);
	paint_screen(&f.canvas, &f.ui, &f.rig.frame, &f.info);
	tap_ok(shows(&f, "SESSION of screen 0"), "the id has the name of the header");
	f.rig.view.sort = COMMAND;
	paint_screen(&f.canvas, &f.ui, &f.rig.frame, &f.info);
	tap_ok(shows(&f, "MEMBERS of screen 0"), "the last field, too");
	delta_done(&delta);
	retired_groups_done(&retired);
	end(&f);
}

int main(void)
{
	tap_ok(setlocale(LC_CTYPE, "C.UTF-8") != NULL, "the locale C.UTF-8 is there");
	test_columns();
	test_rows();
	test_hybrid();
	test_bound();
	test_sizes();
	test_groups();
	return tap_done();
}
