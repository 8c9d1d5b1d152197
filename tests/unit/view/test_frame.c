/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Frames: the rows, their order, and their numbers.
 */
#include "base/strbuf.h"
#include "frame_rig.h"
#include "model/fact_list.h"
#include "model/kinds.h"
#include "model/rows.h"
#include "tap.h"
#include "view/view.h"

static struct screen *make_screen(void)
{
	struct screen *s = screen_new("test", "a test");

	screen_add_counter(s, "cycle", "0", NULL);
	screen_add_counter(s, "instr", "1", NULL);
	screen_add_column(s, " %CPU", "%5.1f", NULL, "CPU_TOT");
	screen_add_column(s, "  IPC", "%5.2f", NULL, "delta(instr) / delta(cycle)");
	screen_add_column(s, "RATE", "%4.0f", NULL, "rate(instr)");
	screen_add_column(s, "TOTAL", "%5.0f", NULL, "instr");
	screen_add_column(s, "SYS", "%3.0f", NULL, "CPU_SYS");
	screen_add_column(s, "P", "%1.0f", NULL, "PROC_ID");
	screen_add_column(s, "USER", "%4.0f", NULL, "CPU_USER");
	return s;
}

enum { CPU, IPC, RATE, TOTAL, SYS, P, USER, COMMAND };

static void begin(struct frame_rig *r)
{
	frame_rig_init(r, make_screen());
}

/* Compares the ids of the rows, in their order: "10 30 20". */
static void check_rows(struct frame_rig *r, const char *want, const char *what)
{
	const struct frame *f = frame_rig_build(r);
	struct strbuf sb;

	strbuf_init(&sb);
	for (size_t i = 0; i < f->n; i++)
		strbuf_addf(&sb, "%s%d", i ? " " : "", (int)f->row[i].task->id);
	tap_str(sb.text, want, "%s", what);
	strbuf_done(&sb);
}

static void check_cell(const struct frame *f, size_t row, int column, enum quality quality,
		       double number, const char *what)
{
	struct value v = frame_value(f, &f->row[row], column);

	tap_str(quality_table[v.quality].name, quality_table[quality].name, "%s: quality", what);
	tap_num(v.number, quality < QUALITY_FIRST_NONE ? number : (double)NAN, "%s: number", what);
}

static void test_cells(void)
{
	const struct frame *f;
	struct frame_rig r;

	begin(&r);
	/* In half a second. A counter that runs for 50 % of the time has its counts doubled. */
	frame_rig_add(&r, &(struct rig_task){.id = 10,
					     .counting = COUNT_OK,
					     .count = {300, 200},
					     .cpu_ns = 500000000,
					     .stime_ns = 250000000,
					     .processor = 3});
	frame_rig_add(&r, &(struct rig_task){.id = 20,
					     .counting = COUNT_OK,
					     .count = {50, 0},
					     .cpu_ns = 400000000,
					     .share_pct = 50});
	frame_rig_add(&r,
		      &(struct rig_task){.id = 30, .counting = COUNT_DENIED, .cpu_ns = 300000000});
	f = frame_rig_build(&r);
	tap_int(f->n, 3, "three rows");
	tap_int(f->interval_ns, 1000000000, "of one second");
	check_cell(f, 0, CPU, QUALITY_EXACT, 50, "%CPU");
	check_cell(f, 0, IPC, QUALITY_EXACT, 1.5, "a ratio");
	check_cell(f, 0, RATE, QUALITY_EXACT, 300, "a rate");
	check_cell(f, 0, TOTAL, QUALITY_EXACT, 400, "a total");
	check_cell(f, 0, SYS, QUALITY_EXACT, 25, "%SYS");
	check_cell(f, 0, P, QUALITY_EXACT, 3, "a gauge");
	check_cell(f, 1, IPC, QUALITY_DIVZERO, 0, "a division by 0");
	check_cell(f, 1, RATE, QUALITY_SCALED, 100, "a scaled count");
	tap_num(frame_value(f, &f->row[1], RATE).share, 0.5, "its share");
	tap_num(delta_least_share(&r.delta[1]), 0.5, "which is the least of all");
	tap_num(delta_least_share(&r.delta[0]), 1, "where nothing is known, none took turns");
	check_cell(f, 2, RATE, QUALITY_DENIED, 0, "a count that is not allowed");
	check_cell(f, 2, IPC, QUALITY_DENIED, 0, "what is computed from it");
	check_cell(f, 2, CPU, QUALITY_EXACT, 30, "its time is known all the same");
	frame_rig_done(&r);
}

/* The kernel gives the times in user mode and kernel mode in whole ticks, so one of them may exceed
 * the CPU time by up to a tick. The column is limited to the CPU time. */
static void test_ticks(void)
{
	const struct frame *f;
	struct frame_rig r;

	begin(&r);
	frame_rig_add(&r, &(struct rig_task){.id = 10, .cpu_ns = 200000000, .stime_ns = 300000000});
	frame_rig_add(&r, &(struct rig_task){.id = 20, .cpu_ns = 100000000, .utime_ns = 110000000});
	f = frame_rig_build(&r);
	check_cell(f, 0, CPU, QUALITY_EXACT, 20, "the time on a CPU");
	check_cell(f, 0, SYS, QUALITY_EXACT, 20, "that in the kernel is not more");
	check_cell(f, 1, USER, QUALITY_EXACT, 10, "that in user mode is not more");
	check_cell(f, 1, SYS, QUALITY_EXACT, 0, "what is below is as it is");
	frame_rig_done(&r);
}

/* A screen of pairs of columns: one uses other columns, the next has the same written out. */
static struct screen *make_pairs(void)
{
	static const char *const pair[][2] = {
		{"IPC * 2 + [%CPU]", "delta(instr) / delta(cycle) * 2 + CPU_TOT"},
		{"if(IPC lt 1, [%CPU], RATE)",
		 "if(delta(instr) / delta(cycle) lt 1, CPU_TOT, rate(instr))"},
		{"max(IPC, RATE / 1000)", "max(delta(instr) / delta(cycle), rate(instr) / 1000)"},
		{"[%CPU] >= 40 and not IPC", "CPU_TOT >= 40 and not delta(instr) / delta(cycle)"},
	};
	struct screen *s = screen_new("pairs", NULL);

	screen_add_counter(s, "cycle", "0", NULL);
	screen_add_counter(s, "instr", "1", NULL);
	for (size_t i = 0; i < sizeof pair / sizeof *pair; i++)
		for (int k = 0; k < 2; k++)
			screen_add_column(s, pair[i][k], "%5.2f", NULL, pair[i][k]);
	/* These columns come after the columns that use them. */
	screen_add_column(s, " %CPU", "%5.1f", NULL, "CPU_TOT");
	screen_add_column(s, "  IPC", "%5.2f", NULL, "per(delta(instr), delta(cycle))");
	screen_add_column(s, "RATE", "%4.0f", NULL, "rate(instr)");
	return s;
}

static void test_columns_used(void)
{
	const struct frame *f;
	struct frame_rig r;

	frame_rig_init(&r, make_pairs());
	/* Counters are in the order of their first use: instr, cycle. */
	frame_rig_add(&r, &(struct rig_task){.id = 10,
					     .counting = COUNT_OK,
					     .count = {300, 200},
					     .cpu_ns = 500000000});
	frame_rig_add(&r, &(struct rig_task){.id = 20,
					     .counting = COUNT_OK,
					     .count = {50, 100},
					     .cpu_ns = 400000000,
					     .share_pct = 50});
	frame_rig_add(&r,
		      &(struct rig_task){.id = 30, .counting = COUNT_DENIED, .cpu_ns = 300000000});
	frame_rig_add(&r, &(struct rig_task){.id = 40, .counting = COUNT_OK, .cpu_ns = 200000000});
	r.view.sort = 8; /* %CPU */
	f = frame_rig_build(&r);
	tap_int(f->screen->n_columns, 11, "all columns are there");
	if (!tap_ok(f->n == 4, "four rows"))
		return;
	for (size_t i = 0; i < f->n; i++)
		for (size_t k = 0; k < 8; k += 2) {
			const struct value v = frame_value(f, &f->row[i], k);
			const struct value want = frame_value(f, &f->row[i], k + 1);

			check_cell(f, i, (int)k, want.quality, want.number,
				   f->screen->column[k].header);
			tap_num(v.share, want.share, "%s: share", f->screen->column[k].header);
		}
	check_cell(f, 0, 0, QUALITY_EXACT, 53, "a ratio and a usage");
	check_cell(f, 0, 2, QUALITY_EXACT, 300, "the second branch");
	check_cell(f, 1, 2, QUALITY_SCALED, 40, "the first branch, chosen by scaled counts");
	check_cell(f, 1, 4, QUALITY_SCALED, 0.5, "the larger one");
	check_cell(f, 1, 6, QUALITY_SCALED, 0, "it does something");
	check_cell(f, 2, 2, QUALITY_DENIED, 0, "a choice that is not known");
	check_cell(f, 3, 4, QUALITY_DIVZERO, 0, "a division by 0");
	frame_rig_done(&r);
}

static void test_order(void)
{
	struct frame_rig r;

	begin(&r);
	r.view.idle = true;
	frame_rig_add(&r, &(struct rig_task){.id = 10,
					     .name = "b",
					     .counting = COUNT_OK,
					     .count = {10, 10},
					     .cpu_ns = 1});
	frame_rig_add(&r, &(struct rig_task){
				  .id = 20, .name = "c", .counting = COUNT_DENIED, .cpu_ns = 5});
	frame_rig_add(&r, &(struct rig_task){.id = 30,
					     .name = "a",
					     .counting = COUNT_OK,
					     .count = {30, 10},
					     .cpu_ns = 2});
	frame_rig_add(&r, &(struct rig_task){.id = 40,
					     .name = "a",
					     .counting = COUNT_OK,
					     .count = {10, 10},
					     .cpu_ns = 9});
	frame_rig_add(&r, &(struct rig_task){.id = 50, .name = "d", .counting = COUNT_NOFILE});
	r.view.sort = RATE;
	check_rows(&r, "30 10 40 20 50", "the largest first, equal ones by id, unknown ones last");
	r.view.reverse = true;
	check_rows(&r, "10 40 30 20 50", "the smallest first, unknown ones last all the same");
	r.view.sort = CPU;
	check_rows(&r, "50 10 30 20 40", "by another column");
	r.view.sort = COMMAND;
	check_rows(&r, "50 20 10 30 40", "by command, from Z to A");
	r.view.reverse = false;
	check_rows(&r, "30 40 10 20 50", "by command, from A to Z");
	r.view.sort = SORT_PID;
	check_rows(&r, "50 40 30 20 10", "by pid, the largest first as with all numbers");
	r.view.reverse = true;
	check_rows(&r, "10 20 30 40 50", "by pid, the smallest first");
	frame_rig_done(&r);
}

static void test_order_of_texts(void)
{
	static const char *const user[] = {"root", "Bob", "alice", "bob", "carol"};
	struct frame_rig r;

	begin(&r);
	r.view.idle = true;
	for (int i = 0; i < 5; i++)
		frame_rig_add(&r, &(struct rig_task){
					  .id = 10 * (5 - i), .user = user[i], .name = user[i]});
	r.view.sort = SORT_USER;
	check_rows(&r, "30 40 20 10 50", "by user, capitals among the small letters");
	r.view.sort = COMMAND;
	check_rows(&r, "30 40 20 10 50", "so by command");
	frame_rig_done(&r);
}

static void test_idle(void)
{
	struct frame_rig r;

	begin(&r);
	frame_rig_add(&r, &(struct rig_task){.id = 10, .counting = COUNT_OK, .cpu_ns = 20000000});
	frame_rig_add(&r, &(struct rig_task){.id = 20, .counting = COUNT_OK});
	frame_rig_add(&r, &(struct rig_task){.id = 30, .counting = COUNT_OK, .cpu_ns = 1000});
	frame_rig_add(&r, &(struct rig_task){
				  .id = 40, .counting = COUNT_OK, .cpu_ns = 1000, .dead = true});
	frame_rig_add(&r, &(struct rig_task){.id = 50, .counting = COUNT_OK, .dead = true});
	frame_rig_add(
		&r, &(struct rig_task){.id = 60, .counting = COUNT_OK, .cpu_ns = 9, .fresh = true});
	check_rows(&r, "10 30 40", "who did not run is not shown, dead or fresh ones neither");
	tap_int(r.frame.n_tasks, 6, "but counted");
	tap_int(r.frame.n_alive, 4, "and of them, those that have not ended");
	r.view.cpu_min = 1;
	check_rows(&r, "10", "who ran too little is idle, too");
	r.view.cpu_min = 2;
	check_rows(&r, "10", "at the limit it is not");
	r.view.idle = true;
	check_rows(&r, "10 30 40 20 50 60", "the view may want idle ones");
	tap_ok(!r.frame.row[0].idle && r.frame.row[1].idle, "which are marked");
	r.view.idle = false;
	r.view.cpu_min = 0;
	r.view.sticky = true;
	check_rows(&r, "10 30 40 50", "a sticky view wants the dead");
	frame_rig_done(&r);
}

/* Adds a function of which `calls` calls ended in the interval, which took self_ns; self_ns below
 * 0: the time is unknown. */
static void add_call(struct frame_rig *r, int id, uint64_t calls, int64_t self_ns, uint64_t count)
{
	for (uint64_t k = 0; k < 2; k++) {
		struct sample *s = &r->sample[k];
		struct task *t =
			sample_add(s, task_new(&kind_call, fact_all, 0, &(struct task_texts){0}));
		struct count *counts =
			arena_calloc(&s->arena, (size_t)r->events->n, sizeof *counts);

		t->id = t->owner = (uint64_t)id;
		t->start_ns = 1;
		t->name = t->process = "f";
		t->counting = COUNT_OK;
		frame_rig_set_fact(t, FACT_CALLS, 10 + k * calls);
		if (self_ns >= 0)
			frame_rig_set_fact(t, FACT_SELF_NS, 10 + k * (uint64_t)self_ns);
		task_set_events(t, r->events);
		for (int i = 0; i < r->events->n; i++)
			counts[i] = (struct count){10 + k * count, 10, 10};
		t->count = counts;
	}
}

/* A function in which a call goes on is shown, whether its time is read or only its events. */
static void test_idle_calls(void)
{
	struct frame_rig r;

	begin(&r);
	r.view.threads = true;
	add_call(&r, 1, 1, 0, 0);
	add_call(&r, 2, 0, 1, 0);
	add_call(&r, 3, 0, 0, 1);
	add_call(&r, 4, 0, 0, 0);
	add_call(&r, 5, 0, -1, 1);
	add_call(&r, 6, 0, -1, 0);
	check_rows(&r, "1 2 3 5", "functions that were called, took time or counted");
	frame_rig_done(&r);
}

/* A task that waited for a CPU throughout the interval is shown, although it used no CPU time. */
static void test_starved(void)
{
	struct frame_rig r;

	begin(&r);
	frame_rig_add(&r, &(struct rig_task){.id = 10, .counting = COUNT_OK, .cpu_ns = 20000000});
	frame_rig_add(&r,
		      &(struct rig_task){.id = 20, .counting = COUNT_OK, .wait_ns = 1000000000});
	frame_rig_add(&r, &(struct rig_task){.id = 30, .counting = COUNT_OK, .wait_ns = 1});
	check_rows(&r, "10 20 30", "who waits for a CPU all the time is not idle");
	r.view.cpu_min = 2;
	check_rows(&r, "10 20", "but below the limit, as with CPU time");
	frame_rig_done(&r);
}

/* If the CPU time is of another interval, a larger time in kernel mode is shown in full, with a
 * mark. */
static void test_late_clock(void)
{
	struct task *task[2];
	struct delta_row row;
	struct delta delta;
	struct frame_rig r;

	for (int more = 0; more < 2; more++) {
		begin(&r);
		for (int i = 0; i < 2; i++) {
			task[i] = task_new(&kind_task, FACT_SET(FACT_CPU_NS, FACT_STIME_NS), 0,
					   &(struct task_texts){0});
			task_set_fact(task[i], FACT_CPU_NS, 300000000 * (uint64_t)i);
			task_set_fact(task[i], FACT_STIME_NS,
				      (more ? 310000000 : 290000000) * (uint64_t)i);
		}
		sample_add(&r.sample[1], task[1]);
		row = (struct delta_row){
			.task = task[1],
			.facts_from = task[0],
			.facts_ns = 1000000000,
			.n_members = 1,
			.cpu_ns = {300000000, 1, QUALITY_UNEQUAL, 0},
			.events = r.events,
			.increment = (struct value[2]){value_none(QUALITY_GONE),
						       value_none(QUALITY_GONE)},
			.total = (struct value[2]){value_none(QUALITY_GONE),
						   value_none(QUALITY_GONE)},
		};
		delta = (struct delta){.kind = &kind_task,
				       .sample = &r.sample[1],
				       .interval_ns = 1,
				       .row = &row,
				       .n = 1};
		frame_build(&r.frame, frame_rig_bind(&r), &r.view, &delta, NULL, 1);
		check_cell(&r.frame, 0, CPU, QUALITY_UNEQUAL, 30, "%CPU of a late clock");
		check_cell(&r.frame, 0, SYS, more ? QUALITY_UNEQUAL : QUALITY_EXACT, more ? 31 : 29,
			   more ? "%SYS that is more" : "%SYS that is less");
		task_unref(task[0]);
		frame_rig_done(&r);
	}
}

/* Last numbers of an ended task: the time in kernel mode is limited to the CPU time, too. */
static void test_last_numbers(void)
{
	const struct fact_set times = FACT_SET(FACT_CPU_NS, FACT_STIME_NS);
	struct task *task[2];
	struct delta_row row;
	struct delta delta;
	struct frame_rig r;

	begin(&r);
	for (int i = 0; i < 2; i++) {
		task[i] = task_new(&kind_task, times, 0, &(struct task_texts){0});
		task_set_fact(task[i], FACT_CPU_NS, 300000000 * (uint64_t)i);
		task_set_fact(task[i], FACT_STIME_NS, 310000000 * (uint64_t)i);
	}
	task[1]->dead = task[1]->lost = true;
	sample_add(&r.sample[1], task[1]);
	row = (struct delta_row){
		.task = task[1],
		.facts_from = task[0],
		.facts_ns = 1000000000,
		.n_members = 1,
		.cpu_ns = value_stale(300000000),
		.events = r.events,
		.increment = (struct value[2]){value_none(QUALITY_GONE), value_none(QUALITY_GONE)},
		.total = (struct value[2]){value_none(QUALITY_GONE), value_none(QUALITY_GONE)},
	};
	delta = (struct delta){
		.kind = &kind_task, .sample = &r.sample[1], .interval_ns = 1, .row = &row, .n = 1};
	frame_build(&r.frame, frame_rig_bind(&r), &r.view, &delta, NULL, 1);
	check_cell(&r.frame, 0, CPU, QUALITY_STALE, 30, "%CPU of one that has ended");
	check_cell(&r.frame, 0, SYS, QUALITY_STALE, 30, "%SYS of it");
	task_unref(task[0]);
	frame_rig_done(&r);
}

/* A number computed from counts and facts is marked as unequal if their intervals differ. */
static void test_unequal(void)
{
	struct screen *s = screen_new("test", NULL);
	const struct frame *f;
	struct frame_rig r;

	screen_add_counter(s, "instr", "INST_RETIRED", "HARDWARE");
	screen_add_column(s, "COUNT", "%5.1f", NULL, "delta(instr)");
	screen_add_column(s, "FACT", "%5.1f", NULL, "CPU_TOT");
	screen_add_column(s, "MIXED", "%5.1f", NULL, "delta(instr) / delta(CPU_NS)");
	screen_add_column(s, "RATES", "%5.1f", NULL, "rate(instr) / CPU_SYS");
	screen_add_column(s, "TOTALS", "%5.1f", NULL, "instr / CPU_NS");
	frame_rig_init(&r, s);
	for (int id = 10; id <= 20; id += 10)
		frame_rig_add(&r, &(struct rig_task){.id = id,
						     .counting = COUNT_OK,
						     .count = {5000 - 100 * (uint64_t)id},
						     .cpu_ns = 500,
						     .stime_ns = 100});
	r.sample[0].time[1] = (struct task_time){0, 500000};
	f = frame_rig_build(&r);
	check_cell(f, 0, 2, QUALITY_EXACT, 8, "equal intervals");
	check_cell(f, 1, 0, QUALITY_EXACT, 3000, "counts alone");
	check_cell(f, 1, 1, QUALITY_EXACT, 1e-4, "facts alone, by their own interval");
	check_cell(f, 1, 2, QUALITY_UNEQUAL, 6, "counts by facts");
	check_cell(f, 1, 3, QUALITY_UNEQUAL, 3000 / 2e-5, "their rates");
	tap_int(frame_value(f, &f->row[1], 4).quality, QUALITY_EXACT, "totals have no interval");
	frame_rig_done(&r);
}

static void test_filters(void)
{
	struct frame_rig r;

	begin(&r);
	frame_rig_add(&r, &(struct rig_task){.id = 10,
					     .name = "bash",
					     .cmdline = "/bin/bash -i",
					     .uid = 7,
					     .cpu_ns = 3});
	frame_rig_add(
		&r,
		&(struct rig_task){
			.id = 20, .name = "make", .cmdline = "make bash", .uid = 8, .cpu_ns = 2});
	frame_rig_add(&r, &(struct rig_task){.id = 30, .name = "kworker", .uid = 0, .cpu_ns = 1});
	r.view.filter.text = "bash";
	check_rows(&r, "10", "by name");
	tap_str(r.frame.row[0].label, "bash", "the command is the name");
	tap_int(r.frame.n_tasks, 1, "only those that pass are counted");
	r.sample[1].n_left_out = 7;
	check_rows(&r, "10", "by name, where the source leaves some out, too");
	tap_int(r.frame.n_all, 10, "how many there are is known all the same");
	r.view.show_cmdline = true;
	check_rows(&r, "10 20", "by command line where it is shown");
	tap_str(r.frame.row[0].label, "/bin/bash -i", "the command is the command line");
	r.view.filter.text = "work";
	check_rows(&r, "30", "a kernel thread has its name only");
	r.view.filter = (struct filter){.uid = 8};
	check_rows(&r, "20", "by user");
	r.view.filter = (struct filter){.uid = 0};
	check_rows(&r, "30", "by root");
	r.view.filter = (struct filter){.uid = -1, .pid = 20};
	check_rows(&r, "20", "by pid");
	r.view.filter = (struct filter)FILTER_ALL;
	r.view.watching = true;
	r.view.watch = (struct filter){.uid = -1, .pid = 20};
	check_rows(&r, "10 20 30", "watching filters no row");
	tap_ok(r.frame.row[1].watched && !r.frame.row[0].watched, "but marks");
	frame_rig_done(&r);
}

static void add_family(struct frame_rig *r)
{
	frame_rig_add(r, &(struct rig_task){.id = 10, .cpu_ns = 5, .num_threads = 2});
	frame_rig_add(r, &(struct rig_task){.id = 11, .pid = 10, .cpu_ns = 4, .num_threads = 2});
	frame_rig_add(r, &(struct rig_task){.id = 20, .cpu_ns = 3});
	frame_rig_add(r, &(struct rig_task){.id = 1234567, .cpu_ns = 2, .num_threads = 9});
}

static void test_marks(void)
{
	struct frame_rig r;

	begin(&r);
	r.view.threads = true;
	add_family(&r);
	check_rows(&r, "10 11 20 1234567", "threads");
	tap_int(r.frame.row[0].mark, '+', "a leader that is not alone");
	tap_int(r.frame.row[1].mark, '-', "another thread");
	tap_int(r.frame.row[2].mark, ' ', "a leader that is alone");
	r.view.filter.pid = 10;
	check_rows(&r, "10 11", "a pid is all threads of the process");
	r.view.filter.pid = 11;
	check_rows(&r, "11", "the id of a thread is that thread");
	frame_rig_done(&r);

	begin(&r);
	add_family(&r);
	check_rows(&r, "10 20 1234567", "processes");
	tap_int(r.frame.row[0].mark, '+', "a process of several rows");
	tap_int(r.frame.row[2].mark, '+', "a process of several threads in one row");
	tap_int(r.frame.id_width, 7, "the widest id makes the width");
	frame_rig_done(&r);
}

/* The same delta yields the same numbers when it is shown again, after another filter. */
static void test_again(void)
{
	const struct frame *f;
	struct frame_rig r;

	begin(&r);
	for (int i = 1; i <= 300; i++)
		frame_rig_add(&r, &(struct rig_task){.id = i,
						     .counting = COUNT_OK,
						     .count = {(uint64_t)i, 100},
						     .cpu_ns = (uint64_t)i * 1000});
	for (int k = 0; k < 3; k++) {
		r.view.filter.pid = 7;
		f = frame_rig_build(&r);
		tap_int(f->n, 1, "filtered");
		r.view.filter.pid = 0;
		f = frame_rig_build(&r);
		tap_int(f->n, 300, "all");
		check_cell(f, 299, IPC, QUALITY_EXACT, 0.01, "the last one's ratio");
	}
	/* At the first sample there are no rows, but tasks are counted. */
	frame_build(&r.frame, &r.binding, &r.view, &r.delta[0], NULL, 0);
	tap_int(r.frame.n, 0, "without an interval there are no rows");
	tap_int(r.frame.n_tasks, 300, "but tasks");
	frame_rig_done(&r);
}

static void test_dead(void)
{
	struct dead_list dead;
	struct frame_rig r;

	begin(&r);
	dead_init(&dead);
	frame_rig_add(&r, &(struct rig_task){.id = 10, .cpu_ns = 7, .dead = true});
	frame_rig_add(&r, &(struct rig_task){.id = 20, .cpu_ns = 7});
	r.sample[0].task[0]->dead = true;
	frame_rig_build(&r);
	dead_collect(&dead, &r.delta[0]);
	tap_int(dead.n, 0, "a zombie of the first sample has no interval to show");
	dead_collect(&dead, &r.delta[1]);
	tap_int(dead.n, 1, "who ended in an interval has");
	dead_done(&dead);
	frame_rig_done(&r);
}

int main(void)
{
	test_cells();
	test_ticks();
	test_dead();
	test_columns_used();
	test_order();
	test_order_of_texts();
	test_idle();
	test_starved();
	test_idle_calls();
	test_last_numbers();
	test_late_clock();
	test_unequal();
	test_filters();
	test_marks();
	test_again();
	return tap_done();
}
