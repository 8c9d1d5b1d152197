/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The live screen without a terminal. A made-up delta goes through frame_build() and
 * paint_screen(), key presses through keys_apply(), and the canvas is compared with
 * tests/golden/ui/NAME.txt.
 */
#include <locale.h>

#include "base/log.h"
#include "golden.h"
#include "model/fact_list.h"
#include "model/kinds.h"
#include "screen/compile.h"
#include "tui/key.h"
#include "tui/keys.h"
#include "tui/paint.h"
#include "view/row_filter.h"

enum { CYCLE, INSTR, MISS, N_EVENTS };

struct fixture {
	struct screen_list screens;
	struct sample sample;
	struct sample_events *events; /* the events of all rows */
	struct screen_numbers numbers;
	struct binding binding;
	struct delta delta;
	struct view view;
	struct frame frame;
	struct ui_state ui;
	struct live_info info;
	struct log log;
	struct canvas canvas;
};

static void report(void *context, int line, const struct err *err)
{
	(void)context;
	tap_ok(false, "a screen of the test compiles: line %d: %s", line, err->text);
}

static struct screen *add_screen(struct fixture *f, const char *name, const char *desc)
{
	struct screen *s = screen_new(name, desc);

	screen_add_counter(s, "cycle", "CPU_CYCLES", NULL);
	screen_add_counter(s, "instr", "INSTRUCTIONS", NULL);
	screen_list_add(&f->screens, s);
	screen_list_number(&f->screens);
	return s;
}

static void make_screens(struct fixture *f)
{
	struct screen *s = add_screen(f, "default", "Work done and what slows it down");
	struct err err = ERR_INIT;

	screen_add_counter(s, "miss", "CACHE_MISSES", NULL);
	screen_add_column(s, " %CPU", "%5.1f", "CPU usage (% of one CPU)", "CPU_TOT");
	screen_add_column(s, "   P", " %3.0f", "CPU on which it ran last", "PROC_ID");
	screen_add_column(s, "  Mcycle", "%8.2f", "cycles (millions)", "delta(cycle) / 1e6");
	screen_add_column(s, "  Minstr", "%8.2f", "instructions (millions)", "delta(instr) / 1e6");
	screen_add_column(s, "  IPC", " %4.2f", "instructions per cycle",
			  "delta(instr) / delta(cycle)");
	screen_add_column(s, " %MISS", "%6.2f", "cache misses per 100 instructions",
			  "100 * delta(miss) / delta(instr)");
	s = add_screen(f, "work", "Totals");
	screen_add_column(s, "   Ginstr", "%9.3f", "instructions so far (billions)", "instr / 1e9");
	screen_add_column(s, "   Gcycle", "%9.3f", "cycles so far (billions)", "cycle / 1e9");
	for (size_t i = 0; i < f->screens.n; i++)
		tap_int(screen_compile(f->screens.v[i], report, NULL, &err), 0,
			"screen %zu compiles", i);
}

/* The data that differ from task to task. All others are computed from them. */
struct made {
	int pid;
	const char *user, *name, *cmdline;
	double cpu_pct, ipc;
	enum quality cycle, miss;
	int n_members;
	bool dead;
};

static const struct made made_table[] = {
	{4711, "alice", "simulate", "/opt/sim/simulate --steps 100000", 99.9, 1.87, 0, 0, 1, false},
	{4712, "alice", "simulate", "/opt/sim/simulate --steps 200000", 99.8, 0.21, 0,
	 QUALITY_SCALED, 8, false},
	{4194303, "bob", "c++", "c++ -O2 -c long.cc", 80.25, 1.1, 0, QUALITY_UNSUPPORTED, 1, false},
	{1, "root", "init", NULL, 0.5, 0.9, 0, 0, 1, false},
	{815, "alice", "na\u00efve-\u4e2d\u6587", NULL, 12.5, 2.5, QUALITY_SCALED, QUALITY_SCALED,
	 3, false},
	{816, "alice", "evil\033[31m\x9b", NULL, 11, 0.75, QUALITY_PARTIAL, 0, 1, false},
	{900, "root", "sshd", NULL, 7, 1, QUALITY_DENIED, QUALITY_DENIED, 1, false},
	{901, "a-very-long-user-name", "fresh", NULL, 6, 1, QUALITY_FRESH, QUALITY_FRESH, 1, false},
	{999, "bob", "overflow", NULL, 123456.7501, 4.5, 0, 0, 1, false},
	{1000, "bob", "cc1plus", "cc1plus -quiet", 55, 1.25, 0, 0, 1, true},
	{1001, "bob", "sleep", "sleep 1000", 0, 1, QUALITY_EXACT, QUALITY_EXACT, 1, false},
	{1002, "bob", "sleep", "sleep 1000", 0, 1, QUALITY_EXACT, QUALITY_EXACT, 1, false},
};

#define N_MADE   (sizeof(made_table) / sizeof(made_table[0]))
#define N_PLAIN  28
#define INTERVAL 2000000000u

static struct value known_as(enum quality quality, double number)
{
	struct value v = value_exact(number);

	if (quality >= QUALITY_FIRST_NONE)
		return value_none(quality);
	v.quality = (uint8_t)quality;
	if (quality == QUALITY_SCALED)
		v.share = 0.5f;
	return v;
}

static void add_task(struct fixture *f, const struct made *m)
{
	struct task *t = task_new(
		&kind_task, FACT_SET(FACT_PROC_ID), 0,
		&(struct task_texts){.user = m->user, .name = m->name, .cmdline = m->cmdline});

	t->id = t->owner = (uint64_t)m->pid;
	t->dead = m->dead;
	task_set_fact(t, FACT_PROC_ID, f->sample.n % 4);
	sample_add(&f->sample, t);
}

static void add_delta(struct fixture *f, size_t i, const struct made *m)
{
	struct delta_row *row = &f->delta.row[f->delta.n++];
	struct value *count = arena_calloc(&f->delta.arena, 2 * N_EVENTS, sizeof(*count));
	double cycles = m->cpu_pct / 100 * 2 * 3e9;

	count[CYCLE] = known_as(m->cycle, cycles);
	count[INSTR] = known_as(m->cycle, cycles * m->ipc);
	count[MISS] = known_as(m->miss, cycles / 1000);
	for (int k = 0; k < N_EVENTS; k++)
		count[N_EVENTS + k] = known_as(count[k].quality, count[k].number * 10);
	*row = (struct delta_row){
		.task = f->sample.task[i],
		.n_members = m->n_members,
		.counts_ns = INTERVAL,
		.facts_ns = INTERVAL,
		.cpu_ns = value_exact(m->cpu_pct / 100 * INTERVAL),
		.events = f->events,
		.increment = count,
		.total = count + N_EVENTS,
	};
}

static void make_events(struct fixture *f)
{
	struct sample_event event[N_EVENTS] = {{.given = NULL}};

	for (int i = 0; i < N_EVENTS; i++) {
		event[i].kind = EVENT_RAW;
		event[i].config = (uint64_t)i;
	}
	f->events = sample_events_new(event, N_EVENTS);
}

static void unbind(struct fixture *f)
{
	binding_done(&f->binding);
	screen_numbers_done(&f->numbers);
}

/* Binds the present screen to the events, by the names of its counters. */
static void bind(struct fixture *f)
{
	static const char *const name[N_EVENTS] = {
		[CYCLE] = "cycle", [INSTR] = "instr", [MISS] = "miss"};
	const struct screen *screen = f->screens.v[f->view.screen];
	int head[N_EVENTS] = {0};

	for (size_t a = 0; a < screen->n_aliases; a++)
		for (int i = 0; i < N_EVENTS; i++)
			if (!strcmp(screen->alias[a], name[i]))
				head[a] = i;
	unbind(f);
	screen_numbers_init(&f->numbers, sample_events_ref(f->events), head,
			    (int)screen->n_aliases);
	binding_init(&f->binding, screen, &f->numbers);
}

/* Makes the tasks of made_table, and plain ones that fill more than a page. */
static void make_delta(struct fixture *f)
{
	struct made plain[N_PLAIN];
	char *name;

	sample_init(&f->sample);
	f->sample.wall_ns = 1795230289123456789;
	f->sample.host = (struct host){273900, 0.12, 0.34, 0.56, 4, 0, 0, 0, false, false};
	for (size_t i = 0; i < N_MADE; i++)
		add_task(f, &made_table[i]);
	for (int i = 0; i < N_PLAIN; i++) {
		name = xasprintf("worker-%d", i);
		plain[i] = (struct made){2000 + i,
					 "carol",
					 arena_strdup(&f->sample.arena, name),
					 NULL,
					 5 - i / 10.0,
					 1,
					 0,
					 0,
					 1,
					 false};
		free(name);
		add_task(f, &plain[i]);
	}
	delta_init(&f->delta);
	f->delta.kind = &kind_task;
	f->delta.sample = &f->sample;
	f->delta.interval_ns = INTERVAL;
	make_events(f);
	f->delta.row = arena_calloc(&f->delta.arena, f->sample.n, sizeof(*f->delta.row));
	for (size_t i = 0; i < f->sample.n; i++)
		add_delta(f, i, i < N_MADE ? &made_table[i] : &plain[i - N_MADE]);
}

static void build(struct fixture *f)
{
	bind(f);
	frame_build(&f->frame, &f->binding, &f->view, &f->delta, NULL, 1);
}

/* Sets the state that the program has at its start. */
static void start(struct fixture *f, int width, int height)
{
	f->view = (struct view){.delay_s = 2, .filter = FILTER_ALL};
	ui_state_done(&f->ui);
	f->ui = (struct ui_state){0};
	f->info = (struct live_info){.user = "alice", .screens = &f->screens, .log = &f->log};
	f->delta.interval_ns = INTERVAL;
	canvas_resize(&f->canvas, width, height);
	build(f);
	paint_screen(&f->canvas, &f->ui, &f->frame, &f->info);
}

/* Presses keys and reacts as the loop does. Returns all reactions. */
static unsigned press(struct fixture *f, const int *key, size_t n)
{
	unsigned all = REACT_NONE;

	for (size_t i = 0; i < n; i++) {
		unsigned reactions = keys_apply(&f->ui, &f->view, &f->screens, key[i]);

		if (reactions & (REACT_REBUILD | REACT_RECONFIGURE))
			build(f);
		if (reactions)
			paint_screen(&f->canvas, &f->ui, &f->frame, &f->info);
		all |= reactions;
	}
	return all;
}

#define PRESS(f, ...)                                                                              \
	press(f, (const int[]){__VA_ARGS__}, sizeof((const int[]){__VA_ARGS__}) / sizeof(int))

/* Compares the canvas with the golden file of this name. */
static void golden(struct fixture *f, const char *name)
{
	paint_screen(&f->canvas, &f->ui, &f->frame, &f->info);
	golden_check_canvas(&f->canvas, name);
}

static void test_sizes(struct fixture *f)
{
	static const struct {
		int width, height;
	} size[] = {{80, 24}, {200, 60}, {40, 10}, {20, 5}, {9, 2}, {1, 1}};
	char name[32];

	for (size_t i = 0; i < sizeof(size) / sizeof(size[0]); i++) {
		start(f, size[i].width, size[i].height);
		snprintf(name, sizeof(name), "size-%dx%d", size[i].width, size[i].height);
		golden(f, name);
		PRESS(f, 'h');
		snprintf(name, sizeof(name), "help-%dx%d", size[i].width, size[i].height);
		golden(f, name);
	}
}

/* At every size up to this one, with and without the help, the sanitizers find no error. */
static void test_all_sizes(struct fixture *f)
{
	for (int width = 0; width <= 90; width++)
		for (int height = 0; height <= 26; height++) {
			start(f, width, height);
			f->info.note = "a note that is longer than a narrow screen is wide";
			f->view.epoch = f->view.timestamp = true;
			PRESS(f, KEYCODE_END, 'i', 'h', KEYCODE_END, KEYCODE_PGUP, 'e', 'x', 'q',
			      'd', 'x');
			ask_message(&f->ui.ask, f->info.note);
			PRESS(f, 'e');
		}
	tap_ok(true, "any size up to 90x26 is painted");
}

static void test_scripts(struct fixture *f)
{
	start(f, 100, 20);
	PRESS(f, '>', '>', 'R');
	golden(f, "sort-reverse");
	start(f, 100, 20);
	PRESS(f, '>', '>', '>', '>', '>', '>', '>');
	golden(f, "sort-command");
	start(f, 100, 20);
	PRESS(f, 'i', 'U', 'c', KEYCODE_END);
	golden(f, "idle-user-command-end");
	PRESS(f, 'i');
	golden(f, "clamped-user-command");
	start(f, 100, 20);
	PRESS(f, KEYCODE_PGDN, KEYCODE_UP);
	golden(f, "scrolled");
	start(f, 100, 20);
	PRESS(f, KEYCODE_LEFT, 'H', 'K');
	golden(f, "screen-threads-kernel");
	start(f, 100, 20);
	PRESS(f, 'h', KEYCODE_PGDN, KEYCODE_DOWN);
	golden(f, "help-scrolled");
	tap_int(PRESS(f, 'q', KEYCODE_ESC), REACT_PAINT, "q in the help only closes it");
	start(f, 100, 20);
	f->info.note = "hardware columns are empty: this machine gives no hardware counters (a "
		       "virtual machine without a PMU?), press RIGHT for a screen that needs none";
	golden(f, "note");
	canvas_resize(&f->canvas, 60, 8);
	golden(f, "note-small");
}

static void test_no_rows(struct fixture *f)
{
	static const struct filter_list none = FILTER_LIST_INIT;

	start(f, 60, 12);
	PRESS(f, KEYCODE_END);
	f->delta.interval_ns = 0;
	build(f);
	golden(f, "measuring");
	start(f, 60, 12);
	f->view.cpu_min = 1e9;
	build(f);
	golden(f, "none-busy");
	f->delta.n = 0;
	f->view.cpu_min = 0;
	build(f);
	golden(f, "none-ran");
	row_filter_make(&f->view.row_filter, "i", f->frame.screen, &none, NULL);
	f->view.filter_text = "i";
	build(f);
	golden(f, "none-ran-filtered");
	row_filter_free(f->view.row_filter);
	f->view.row_filter = NULL;
	f->view.filter_text = NULL;
	f->view.filter.text = "nobody";
	build(f);
	golden(f, "none-match");
	f->view.filter = (struct filter){77, NULL, -1, NULL};
	build(f);
	golden(f, "none-pid");
	f->view.filter.pid = 0;
	f->delta.kind = &kind_lock;
	build(f);
	golden(f, "none-lock");
	f->view.filter.text = "nobody";
	build(f);
	golden(f, "none-lock-match");
	f->view.filter.text = NULL;
	f->delta.kind = &kind_task;
	f->view.filter.pid = 77;
	f->view.filter.uid = 1000;
	f->view.own_only = true;
	build(f);
	golden(f, "none-own");
	f->view.own_only = false;
	f->view.uid_name = "carol";
	build(f);
	golden(f, "none-user");
	f->delta.n = f->sample.n;
}

/* A longer pid widens its column, which stays wide when the pid has disappeared. */
static void test_nothing_jumps(struct fixture *f)
{
	size_t n = f->sample.n;

	start(f, 80, 10);
	tap_int(f->frame.id_width, 7, "a pid of 7 digits widens its column");
	f->sample.n = 1;
	build(f);
	golden(f, "long-pid-gone");
	f->sample.n = n;
}

/* Fills the list of errors beyond its capacity. */
static void add_errors(struct fixture *f, int n)
{
	for (int i = 1; i <= n; i++) {
		char *text =
			xasprintf("the event 'uops_%d' of the screen 'default' is not known on "
				  "this machine: see the list of libpfm4, or give its number",
				  i);

		log_add(&f->log, LOG_SCREEN, text);
		free(text);
	}
}

/* The last lines of the screen (prompts, notes, questions), at several sizes. */
static void test_foot(struct fixture *f)
{
	static const struct {
		int width, height;
	} size[] = {{80, 24}, {40, 10}, {80, 4}, {20, 5}, {1, 1}};
	static const struct request then = {.kind = REQUEST_OVERWRITE, .text = ""};
	char name[48];

	for (size_t i = 0; i < sizeof(size) / sizeof(size[0]); i++) {
		int width = size[i].width, height = size[i].height;

		start(f, width, height);
		PRESS(f, 'k');
		snprintf(name, sizeof(name), "prompt-%dx%d", width, height);
		golden(f, name);
		PRESS(f, '9', '9', KEYCODE_LEFT, KEYCODE_LEFT);
		snprintf(name, sizeof(name), "prompt-typed-%dx%d", width, height);
		golden(f, name);
		f->info.note = "a note stands above the header, and a refusal below it";
		PRESS(f, KEYCODE_ENTER, KEYCODE_BACKSPACE, 'x', KEYCODE_ENTER);
		snprintf(name, sizeof(name), "refused-%dx%d", width, height);
		golden(f, name);
		f->info.note = NULL;
		PRESS(f, KEYCODE_ESC);
		ask_message(&f->ui.ask,
			    "cannot write '/an/unusually/long/path/of/a/folder/.tiptoprc': "
			    "permission denied, choose another folder");
		snprintf(name, sizeof(name), "message-%dx%d", width, height);
		golden(f, name);
		ask_question(&f->ui.ask, "'.tiptoprc' exists: overwrite it? (y/n)", &then);
		snprintf(name, sizeof(name), "question-%dx%d", width, height);
		golden(f, name);
	}
}

static void test_errors(struct fixture *f)
{
	static const struct {
		int width, height;
	} size[] = {{80, 24}, {40, 10}, {20, 5}, {1, 1}};
	char name[48];

	start(f, 60, 6);
	PRESS(f, 'e');
	golden(f, "errors-none");
	add_errors(f, 12);
	for (size_t i = 0; i < sizeof(size) / sizeof(size[0]); i++) {
		start(f, size[i].width, size[i].height);
		f->view.epoch = f->view.timestamp = true;
		snprintf(name, sizeof(name), "foot-%dx%d", size[i].width, size[i].height);
		golden(f, name);
		PRESS(f, 'e');
		snprintf(name, sizeof(name), "errors-%dx%d", size[i].width, size[i].height);
		golden(f, name);
	}
	start(f, 60, 10);
	PRESS(f, 'e', KEYCODE_HOME, KEYCODE_DOWN);
	golden(f, "errors-scrolled");
	ask_message(&f->ui.ask, "a message is seen there, too");
	golden(f, "errors-message");
	add_errors(f, LOG_MAX + 5);
	start(f, 60, 10);
	golden(f, "foot-dropped");
	PRESS(f, 'e');
	golden(f, "errors-dropped");
	log_done(&f->log);
}

/* Watched tasks, ended tasks, and what the title says of them. */
static void test_watch(struct fixture *f)
{
	start(f, 100, 20);
	f->view.watch.text = "c";
	f->view.watching = f->view.sticky = true;
	build(f);
	golden(f, "watch-sticky");
	f->view.sticky = false;
	f->view.idle = true;
	f->view.watch = (struct filter){1001, NULL, -1, NULL};
	build(f);
	paint_screen(&f->canvas, &f->ui, &f->frame, &f->info);
	PRESS(f, 'k');
	tap_str(f->ui.ask.prompt.text, "1001", "a signal is offered for the task that is watched");
	PRESS(f, KEYCODE_ESC, KEYCODE_PGDN, 'k');
	golden(f, "watch-pid-kill");
}

int main(void)
{
	struct fixture f = {.screens = SCREEN_LIST_INIT, .log = LOG_INIT, .canvas = CANVAS_INIT};

	tap_ok(setlocale(LC_CTYPE, "C.UTF-8") != NULL, "the locale C.UTF-8 is there");
	make_screens(&f);
	make_delta(&f);
	frame_init(&f.frame);
	test_sizes(&f);
	test_all_sizes(&f);
	test_scripts(&f);
	test_no_rows(&f);
	test_nothing_jumps(&f);
	test_foot(&f);
	test_errors(&f);
	test_watch(&f);
	frame_done(&f.frame);
	delta_done(&f.delta);
	sample_done(&f.sample);
	unbind(&f);
	sample_events_unref(f.events);
	screen_list_done(&f.screens);
	ui_state_done(&f.ui);
	canvas_done(&f.canvas);
	return tap_done();
}
