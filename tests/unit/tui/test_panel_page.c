/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The page of a row. Made-up tasks go through delta and frame, key presses through keys_apply().
 * The page is built for each frame as in the loop, and the canvas is compared with
 * tests/golden/ui/page-NAME.txt.
 */
#include <errno.h>
#include <locale.h>
#include <stdlib.h>
#include <time.h>

#include "golden.h"
#include "model/fact_list.h"
#include "model/fold_groups.h"
#include "screen/compile.h"
#include "ui_rig.h"
#include "view/page.h"

#define GB 1000000000ull

struct fixture {
	struct ui_rig r;
	struct screen_numbers numbers;
	struct binding other;
	struct page_screen screens[2];
	struct page page;
	struct detail detail;
	bool recorded;
	const char *no_counters; /* reason why there are no counters, NULL if there are */
};

/* The events of the rig are instr, cycle and miss, in this order. */
static struct screen *make_screen(void)
{
	struct screen *s = screen_new("default", "a test");

	screen_add_counter(s, "instr", "1", NULL);
	screen_add_counter(s, "cycle", "0", NULL);
	screen_add_counter(s, "miss", "9", NULL);
	screen_add_column(s, " %CPU", "%5.1f", "CPU usage (% of one CPU)", "CPU_TOT");
	screen_add_column(s, "  IPC", " %4.2f", "instructions per cycle",
			  "delta(instr) / delta(cycle)");
	screen_add_column(s, "  MISS", "%6.0f", "an event that this machine lacks", "delta(miss)");
	return s;
}

/* Columns: IPC as on the first screen; one of available counters; one of a counter that is not
 * counted now; one of a counter that this machine lacks; and a fact. */
static struct screen *make_other(void)
{
	struct screen *s = screen_new("more", "another one");

	screen_add_counter(s, "cycle", "0", NULL);
	screen_add_counter(s, "instr", "1", NULL);
	screen_add_counter(s, "else", "2", NULL);
	screen_add_counter(s, "lacks", "3", NULL);
	screen_add_column(s, "  IPC", " %4.2f", "instructions per cycle",
			  "delta(instr) / delta(cycle)");
	screen_add_column(s, "  CPI", " %4.2f", "cycles per instruction",
			  "delta(cycle) / delta(instr)");
	screen_add_column(s, " ELSE", "%5.1f", "what only this screen counts", "delta(else)");
	screen_add_column(s, " LACK", "%5.1f", "what this machine cannot count", "delta(lacks)");
	screen_add_column(s, " COMM", "%-15s", "the name", "PROGRAM");
	return s;
}

/* Binds the counters of the other screen: two to events of the rig, one to another event, and one
 * to an unsupported event. */
static void bind_other(struct fixture *f, struct screen *screen)
{
	static const int head[] = {0, 1, 2, 3};
	struct sample_event event[4] = {f->r.rig.events->event[0], f->r.rig.events->event[1]};

	event[2] = (struct sample_event){.kind = EVENT_RAW, .config = 77};
	event[3] = (struct sample_event){.quality = QUALITY_UNSUPPORTED};
	screen_numbers_init(&f->numbers, sample_events_new(event, 4), head, 4);
	binding_init(&f->other, screen, &f->numbers);
}

static void begin(struct fixture *f, int width, int height)
{
	static const struct detail_thread threads[] = {
		{4711, FACT_SET(FACT_CPU_NS, FACT_PROC_ID), 62300000000, 3, 'R', "simulate"},
		{4712, FACT_SET(FACT_PROC_ID), 0, 12, 'S', "wor\nker"},
	};
	static const struct detail_limit limits[] = {
		{"Max open files", "1024", "1048576", "files"},
		{"Max nice priority", "0", "unlimited", ""},
	};
	struct screen *other = make_other();

	memset(f, 0, sizeof *f);
	screen_list_add(&f->r.screens, make_screen());
	frame_rig_init(&f->r.rig, f->r.screens.v[0]);
	screen_compile(other, frame_rig_report, (void *)"screen", NULL);
	screen_list_add(&f->r.screens, other);
	screen_list_number(&f->r.screens);
	f->r.rig.events->event[0].given = "instructions";
	f->r.rig.events->event[1].given = "cycles";
	f->r.rig.events->event[2].given = "CACHE_MISS:ANY";
	f->r.rig.events->event[2].quality = QUALITY_UNSUPPORTED;
	bind_other(f, other);
	f->r.info = (struct live_info){.user = "me", .screens = &f->r.screens, .log = &f->r.log};
	f->r.rig.view.idle = true;
	f->detail = (struct detail){
		.state = 'R', .thread = threads, .n_threads = 2, .limit = limits, .n_limits = 2};
	f->detail.text[FACT_CGROUP - FACT_FIRST_READ_TEXT] = "/user.slice";
	f->detail.fact[FACT_RSS_KB] = 12345;
	f->detail.fact[FACT_NICE] = (uint64_t)-5;
	f->detail.fact[FACT_PPID] = 99;
	f->detail.known = FACT_SET(FACT_RSS_KB, FACT_NICE, FACT_PPID);
	page_init(&f->page);
	canvas_resize(&f->r.canvas, width, height);
}

static void end(struct fixture *f)
{
	page_done(&f->page);
	binding_done(&f->other);
	screen_numbers_done(&f->numbers);
	screen_free(f->r.screens.v[1]);
	ui_rig_done(&f->r);
}

/* Builds page and frame as the loop does. */
static void build(struct fixture *f)
{
	const struct row_id *of = &f->r.rig.view.page;
	struct frame_rig *rig = &f->r.rig;

	frame_rig_build(rig);
	f->screens[0] = (struct page_screen){f->r.screens.v[0], &rig->binding};
	f->screens[1] = (struct page_screen){f->r.screens.v[1], &f->other};
	f->r.info.page = NULL;
	if (of->kind) {
		if (of->id != f->page.of.id || of->kind != f->page.of.kind)
			page_reset(&f->page, of);
		page_build(&f->page,
			   &(struct page_input){.frame = &rig->frame,
						.screen = f->screens,
						.n_screens = 2,
						.no_counters = f->no_counters,
						.detail = f->recorded ? NULL : &f->detail});
		f->r.info.page = &f->page;
	}
	paint_screen(&f->r.canvas, &f->r.ui, &rig->frame, &f->r.info);
}

static void add_tasks(struct fixture *f)
{
	frame_rig_add(&f->r.rig, &(struct rig_task){.id = 4711,
						    .name = "simulate",
						    .cmdline = "./simulate --grid 100",
						    .user = "alice",
						    .uid = 1000,
						    .counting = COUNT_OK,
						    .count = {3000000000, 1500000000, 0},
						    .cpu_ns = 500000000,
						    .stime_ns = 40000000,
						    .num_threads = 2,
						    .share_pct = 50});
	frame_rig_add(&f->r.rig, &(struct rig_task){.id = 99,
						    .name = "se\033cret",
						    .counting = COUNT_DENIED,
						    .cpu_ns = 1});
	build(f);
}

static void press(struct fixture *f, int key)
{
	keys_apply(&f->r.ui, &f->r.rig.view, &f->r.screens, key);
	build(f);
}

/* Returns whether any line of the page has this text, even if the screen is too small to show
 * it. */
static bool has(const struct fixture *f, const char *text)
{
	for (size_t i = 0; i < f->page.n; i++)
		if (strstr(f->page.line[i].text, text))
			return true;
	for (size_t i = 0; i < f->page.n; i++)
		printf("# %s: %s\n", f->page.line[i].label ? f->page.line[i].label : "",
		       f->page.line[i].text);
	return false;
}

static const char *entry(const struct fixture *f, const char *label)
{
	for (size_t i = 0; i < f->page.n; i++)
		if (f->page.line[i].label && !strcmp(f->page.line[i].label, label))
			return f->page.line[i].text;
	return "(none)";
}

static void test_sizes(void)
{
	static const struct {
		int width, height;
	} size[] = {{80, 24}, {40, 15}, {20, 5}, {200, 60}, {1, 1}};
	char name[48];
	struct fixture f;

	for (size_t i = 0; i < sizeof size / sizeof size[0]; i++) {
		begin(&f, size[i].width, size[i].height);
		add_tasks(&f);
		press(&f, KEYCODE_ENTER);
		snprintf(name, sizeof name, "page-%dx%d", size[i].width, size[i].height);
		golden_check_canvas(&f.r.canvas, name);
		end(&f);
	}
	begin(&f, 80, 24);
	add_tasks(&f);
	press(&f, KEYCODE_ENTER);
	press(&f, KEYCODE_PGDN);
	golden_check_canvas(&f.r.canvas, "page-scrolled");
	press(&f, KEYCODE_END);
	tap_ok(ui_rig_shows(&f.r, "Max nice priority"), "END: the last line");
	press(&f, KEYCODE_HOME);
	tap_int((long)f.r.ui.panel_lines.top, 0, "HOME: the first one");
	/* At any size, the sanitizers find no error. */
	for (int width = 0; width <= 90; width += 3)
		for (int height = 0; height <= 26; height++) {
			canvas_resize(&f.r.canvas, width, height);
			press(&f, KEYCODE_END);
			press(&f, KEYCODE_PGUP);
		}
	tap_int(f.r.ui.panel, PANEL_PAGE, "any size is painted");
	end(&f);
}

static void test_keys(void)
{
	struct fixture f;

	begin(&f, 80, 24);
	add_tasks(&f);
	press(&f, KEYCODE_DOWN);
	press(&f, KEYCODE_ENTER);
	tap_ok(f.r.ui.panel == PANEL_PAGE && f.r.rig.view.page.id == 99,
	       "Enter opens the page of the current row");
	tap_ok(ui_rig_shows(&f.r, "process 99 se?cret"), "whose name stands above it");
	tap_ok(has(&f, ": the kernel does not let you count this task"),
	       "what cannot be counted says why");
	press(&f, KEYCODE_ENTER);
	tap_ok(ui_rig_shows(&f.r, "the key Enter has no meaning here"), "once is enough");
	tap_ok(keys_apply(&f.r.ui, &f.r.rig.view, &f.r.screens, KEYCODE_CTRL_R) & REACT_REFRESH,
	       "Ctrl-R refreshes");
	tap_int((long)f.r.rig.view.page_requests, 2, "and wants all of it again");
	press(&f, 'v');
	tap_int(f.r.rig.view.values, VALUES_RATE, "v: other values");
	press(&f, KEYCODE_ESC);
	tap_ok(!f.r.ui.panel && !f.r.rig.view.page.kind, "ESC closes it");
	press(&f, '=');
	tap_int(f.r.ui.panel, PANEL_PAGE, "= opens it, too");
	press(&f, 'e');
	tap_ok(f.r.ui.panel == PANEL_ERRORS && f.r.rig.view.page.kind, "another panel covers it");
	press(&f, 'q');
	press(&f, 'q');
	f.r.rig.view.filter.text = "nobody";
	build(&f);
	press(&f, KEYCODE_ENTER);
	tap_ok(ui_rig_shows(&f.r, "there is no row whose page could be shown"), "without a row");
	f.r.rig.view.filter.text = NULL;
	build(&f);
	f.r.rig.frame.row[0].collapsed = true;
	cursor_put(&f.r.ui.cursor, &f.r.rig.frame, 0);
	keys_apply(&f.r.ui, &f.r.rig.view, &f.r.screens, KEYCODE_ENTER);
	tap_ok(!f.r.rig.view.page.kind, "a row that is a sum has none");
	end(&f);
}

/* Columns of all screens, each once. Columns that are not counted are listed with the reason. */
static void test_columns(void)
{
	struct fixture f;
	int ipc = 0;

	begin(&f, 80, 24);
	add_tasks(&f);
	f.r.rig.view.page = row_id_of(f.r.rig.frame.row[0].task);
	f.r.screens.v[1]->number = 6;
	build(&f);
	for (size_t i = 0; i < f.page.n; i++)
		ipc += f.page.line[i].label && !strcmp(f.page.line[i].label, "IPC");
	tap_int(ipc, 1, "a column of two screens stands there once");
	tap_str(entry(&f, "CPI"), "      0.50~ cycles per instruction (scaled, share 50 %)",
		"one of another screen whose events are counted");
	tap_ok(strstr(entry(&f, "MISS"), ": this machine does not have the event"),
	       "one of the present screen says why it has no number");
	tap_str(entry(&f, "ELSE"), "(none)", "what is not counted is not there");
	tap_str(entry(&f, "LACK"), "(none)", "nor is what cannot be counted");
	tap_ok(has(&f, "columns of the screen 6 more"), "its screen is named, by its number");
	tap_str(entry(&f, "COMM"), "  simulate  the name", "a text is a column, too");
	tap_str(entry(&f, "cycles"),
		"     1500000100 counted, on the PMU 50 % of 0.500 s; last 3000000000~ (scaled, "
		"share 50 %)",
		"the raw count of an event, and what became of it");
	end(&f);
}

/* The reason why there are no counters is also given for columns of other screens that lack
 * them. */
static void test_no_counters(void)
{
	struct fixture f;

	begin(&f, 80, 24);
	add_tasks(&f);
	press(&f, KEYCODE_ENTER);
	tap_ok(has(&f, "columns of the screen 1 more: a screen reads what it needs"),
	       "what another screen would count");
	f.no_counters = "there are none";
	build(&f);
	tap_ok(has(&f, "columns of the screen 1 more: a screen reads what it needs"),
	       "one that this machine can fill does so still");
	f.r.screens.v[1]->lacking = true;
	build(&f);
	tap_ok(has(&f, "columns of the screen 1 more: there are none"),
	       "of one that it cannot fill, the reason is said");
	end(&f);
}

static void test_facts(void)
{
	struct fixture f;

	begin(&f, 80, 24);
	add_tasks(&f);
	f.r.rig.view.page = row_id_of(f.r.rig.frame.row[0].task);
	build(&f);
	tap_str(entry(&f, "started"), "2023-11-14 22:13:20, 1:40.9 ago", "when it began");
	tap_str(entry(&f, "cgroup"), "/user.slice", "a text that no column shows");
	tap_str(entry(&f, "RSS_KB"), "     12.1M  memory that is in RAM", "a fact of now");
	tap_str(entry(&f, "NICE"), "        -5  nice value: 19 is the most patient, -20 the least",
		"one below 0");
	tap_ok(has(&f, "not read now: MINFLT"), "what was not read is named");
	tap_str(entry(&f, "4712"), "S   12         ? wor?ker", "a thread, and its CPU");
	tap_str(entry(&f, "Max open files"), "        1024       1048576  files", "a limit");
	f.detail.limits_error = -EACCES;
	f.detail.n_limits = 0;
	f.detail.threads_error = -EACCES;
	build(&f);
	tap_ok(has(&f, "/proc/4711/limits cannot be read: Permission denied"),
	       "limits that cannot be read say why");
	tap_ok(has(&f, "none were read: Permission denied"), "so do threads");
	f.detail.threads_error = 0;
	f.detail.n_more = 7;
	build(&f);
	tap_ok(has(&f, "and 7 more: only the first 100 are read"), "there may be too many");
	f.recorded = true;
	build(&f);
	tap_str(entry(&f, "RSS_KB"), "(none)", "a recording has what was recorded");
	tap_str(entry(&f, "Max open files"), "(none)", "no limits");
	tap_ok(has(&f, "there are processes here, not their threads"), "no threads");
	end(&f);
}

/* The memory that the task's control group uses, and its limits. */
static void test_memory(void)
{
	struct fixture f;
	struct detail_memory *m = &f.detail.memory;

	begin(&f, 100, 200);
	add_tasks(&f);
	f.r.rig.view.page = row_id_of(f.r.rig.frame.row[0].task);
	build(&f);
	tap_ok(!has(&f, "Memory of its control group"), "what was not read is absent");
	*m = (struct detail_memory){
		.read = true,
		.group = "/a/b",
		.used = 3 << 20,
		.max = {.group = "/a", .bytes = 8 << 20, .used_known = true, .used = 5 << 20},
		.has_high = true,
		.is_whole = true};
	build(&f);
	tap_str(entry(&f, "used"), "      3.0M  used by all of the group /a/b", "what it has");
	tap_str(entry(&f, "max"),
		"      8.0M  of the group /a, which has 5.0M: above it, tasks are killed",
		"what it may have");
	tap_str(entry(&f, "high"),
		"      none  in any of its control groups: above a limit, they are slowed down",
		"no limit is not a number");
	m->is_whole = false;
	m->max = (struct detail_bound){.why = "memory.max of /a cannot be read: Permission denied"};
	build(&f);
	tap_str(entry(&f, "max"), "         ?  memory.max of /a cannot be read: Permission denied",
		"what is unknown has its reason");
	tap_ok(strstr(entry(&f, "high"), "groups above them may have one"),
	       "what is not seen is told");
	*m = (struct detail_memory){.read = true, .why = "no control groups"};
	build(&f);
	tap_str(entry(&f, "used"), "         ?  no control groups", "nothing is known of it");
	tap_str(entry(&f, "max"), "(none)", "then nothing else stands there");
	*m = (struct detail_memory){.error = -EACCES};
	build(&f);
	tap_ok(has(&f, "/proc/4711/cgroup cannot be read: Permission denied"), "nor of its groups");
	end(&f);
}

/* A task in state R may wait for a CPU; one in D may wait for a child or be frozen. */
static void test_states(void)
{
	struct fixture f;

	begin(&f, 80, 24);
	frame_rig_add(&f.r.rig, &(struct rig_task){.id = 7, .cpu_ns = 1});
	build(&f);
	f.r.rig.view.page = row_id_of(f.r.rig.frame.row[0].task);
	f.r.rig.sample[1].task[0]->state = 'R';
	build(&f);
	tap_str(entry(&f, "state"), "R running or ready to run", "R");
	f.r.rig.sample[1].task[0]->state = 'D';
	build(&f);
	tap_str(entry(&f, "state"), "D uninterruptible sleep", "D");
	end(&f);
}

/* A long command line is cut at the top of the page, and complete at its end. */
static void test_long_command(void)
{
	struct fixture f;
	struct strbuf command;

	begin(&f, 80, 24);
	strbuf_init(&command);
	strbuf_pad(&command, 'x', 239);
	for (int i = 0; i < 5; i++)
		strbuf_addstr(&command, "\303\244");
	frame_rig_add(&f.r.rig, &(struct rig_task){.id = 7, .cmdline = command.text, .cpu_ns = 1});
	build(&f);
	f.r.rig.view.page = row_id_of(f.r.rig.frame.row[0].task);
	build(&f);
	tap_int((long)strlen(entry(&f, "command")),
		239 + (long)strlen("... (all of it is at the end)"),
		"its start, cut between characters");
	tap_str(f.page.line[f.page.n - 1].text, command.text, "all of it");
	strbuf_done(&command);
	end(&f);
}

/* When the task has ended, its last numbers stay. */
static void test_gone(void)
{
	struct fixture f;
	char *before;
	int blamed = 0;

	begin(&f, 80, 24);
	add_tasks(&f);
	press(&f, KEYCODE_ENTER);
	before = xstrdup(entry(&f, "IPC"));
	f.r.rig.sample[1].task[1]->dead = true;
	build(&f);
	tap_str(f.page.note, "it has ended: these are its final counts", "at its end that is said");
	tap_str(entry(&f, "IPC"), before, "with its final numbers");
	for (size_t i = 0; i < f.page.n; i++)
		if (f.page.line[i].text && strstr(f.page.line[i].text, "the kernel did not give"))
			blamed++;
	tap_int(blamed, 0, "what was not read before it ended is not the kernel's fault");
	f.detail.error = -ESRCH;
	build(&f);
	tap_str(entry(&f, "Max open files"), "        1024       1048576  files",
		"its limits stay though they are not there any more");
	f.r.rig.sample[1].n = f.r.rig.sample[0].n = 1;
	f.detail.error = -ESRCH;
	build(&f);
	tap_str(f.page.note, "it has ended: these are the last numbers that were read",
		"later, too");
	tap_str(entry(&f, "IPC"), before, "they stay");
	tap_ok(ui_rig_shows(&f.r, "it has ended"), "on the screen");
	f.detail.error = 0;
	build(&f);
	tap_str(f.page.note,
		"it is not among what is read now: these are the last numbers that "
		"were read",
		"one that lives, but is not wanted any more");
	f.r.rig.sample[1].n = f.r.rig.sample[0].n = 2;
	f.r.rig.sample[1].task[1]->dead = false;
	build(&f);
	tap_ok(!f.page.note, "it is back");
	free(before);
	end(&f);
}

/* A group has numbers, but no threads, limits or start time. */
static void test_group(void)
{
	const struct filter all = FILTER_ALL;
	const struct grouping by = {.key = GROUP_USER, .filter = &all};
	struct delta delta;
	struct retired_groups retired;
	struct fixture f;
	struct frame_rig *rig = &f.r.rig;

	begin(&f, 80, 24);
	add_tasks(&f);
	delta_init(&delta);
	retired_groups_init(&retired);
	fold_groups(&delta, &rig->processes, &by, &retired);
	rig->view.group = by.key;
	frame_build(&rig->frame, &rig->binding, &rig->view, &delta, NULL, 1);
	for (size_t i = 0; i < rig->frame.n; i++)
		if (!strcmp(rig->frame.row[i].task->name, "alice"))
			f.page.of = row_id_of(rig->frame.row[i].task);
	page_build(&f.page, &(struct page_input){.frame = &rig->frame,
						 .screen = f.screens,
						 .n_screens = 2,
						 .detail = NULL});
	tap_str(f.page.title, "user alice", "the page of a group");
	tap_str(entry(&f, "members"), "1: Enter on its row lists them", "it has members");
	tap_str(entry(&f, "started"), "(none)", "no start");
	tap_ok(strstr(entry(&f, "IPC"), "2.00~"), "the numbers of their sum");
	tap_ok(strstr(entry(&f, "cycles"), "1500000100 counted"), "and raw counts");
	tap_str(entry(&f, "TID"), "(none)", "no threads");
	delta_done(&delta);
	retired_groups_done(&retired);
	end(&f);
}

/* The number of an unknown user is none of a user. */
static void test_no_user(void)
{
	struct fixture f;

	begin(&f, 80, 24);
	frame_rig_add(&f.r.rig, &(struct rig_task){.id = 4711,
						   .name = "cc1",
						   .user = "?",
						   .uid = TASK_UID_UNKNOWN,
						   .num_threads = 1});
	build(&f);
	press(&f, KEYCODE_ENTER);
	tap_str(entry(&f, "user"), "?", "an unknown user has no number");
	end(&f);
}

int main(void)
{
	tap_ok(setlocale(LC_CTYPE, "C.UTF-8") != NULL, "the locale C.UTF-8 is there");
	setenv("TZ", "UTC", 1);
	tzset();
	test_sizes();
	test_keys();
	test_columns();
	test_no_counters();
	test_facts();
	test_no_user();
	test_memory();
	test_states();
	test_long_command();
	test_gone();
	test_group();
	return tap_done();
}
