/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The row of totals: compared with sums by hand, and with the sum of random rows.
 */
#include <stdlib.h>

#include "frame_rig.h"
#include "model/fold_groups.h"
#include "tap.h"
#include "view/format.h"

enum { CPU, IPC, INSTR, TOTAL, N_THREADS, P, USER };

static struct screen *make_screen(void)
{
	struct screen *s = screen_new("test", "a test");

	screen_add_counter(s, "cycle", "0", NULL);
	screen_add_counter(s, "instr", "1", NULL);
	screen_add_column(s, " %CPU", "%5.1f", NULL, "CPU_TOT");
	screen_add_column(s, "  IPC", "%5.2f", NULL, "delta(instr) / delta(cycle)");
	screen_add_column(s, "INSTR", "%5.0f", NULL, "delta(instr)");
	screen_add_column(s, "TOTAL", "%5.0f", NULL, "instr");
	screen_add_column(s, "TH", "%2.0f", NULL, "NUM_THREADS");
	screen_add_column(s, " P", "%2.0f", NULL, "PROC_ID");
	screen_add_column(s, "USER", "%-5s", NULL, "USER");
	return s;
}

static void begin(struct frame_rig *r)
{
	frame_rig_init(r, make_screen());
	r->view.total = true;
}

#define ADD(rig, ...) frame_rig_add(rig, &(struct rig_task){__VA_ARGS__})

static void check_total(const struct frame *f, const char *want, const char *what)
{
	struct strbuf text;

	strbuf_init(&text);
	if (f->total) {
		format_row(&text, f, f->total);
		format_row_command(&text, f->total, false);
	}
	tap_str(text.text, want, "%s", what);
	strbuf_done(&text);
}

/* Two tasks with the ratios 3 and 0.5. */
static void add_two(struct frame_rig *r)
{
	ADD(r, .id = 10, .user = "ann", .counting = COUNT_OK, .count = {300, 100},
	    .cpu_ns = 250000000, .processor = 1);
	ADD(r, .id = 20, .user = "ann", .counting = COUNT_OK, .count = {450, 900},
	    .cpu_ns = 500000000, .processor = 1, .num_threads = 3);
}

static void test_sums(void)
{
	struct frame_rig r;

	begin(&r);
	add_two(&r);
	ADD(&r, .id = 30, .user = "ann", .counting = COUNT_OK);
	/* Each total began at 100. */
	check_total(frame_rig_build(&r), "total   75.0  0.75   750   950  4  1 ann   2 tasks",
		    "sums, and the ratio of them, which is not 1.75");
	r.view.idle = true;
	check_total(frame_rig_build(&r), "total   75.0  0.75   750  1050  5  - ann   3 tasks",
		    "one that is idle counts where it is shown; CPUs that differ are none");
	r.view.filter.pid = 20;
	check_total(frame_rig_build(&r), "total   50.0  0.50   450   550  3  1 ann   1 task",
		    "not those that a filter leaves out");
	r.view.filter.pid = 40;
	tap_ok(!frame_rig_build(&r)->total, "nothing has no total");
	r.view.filter.pid = 0;
	r.view.total = false;
	tap_ok(!frame_rig_build(&r)->total, "nor has what is not wanted");
	frame_rig_done(&r);
}

static void test_quality(void)
{
	struct frame_rig r;

	begin(&r);
	add_two(&r);
	ADD(&r, .id = 40, .user = "bob", .counting = COUNT_DENIED, .cpu_ns = 50000000,
	    .processor = 1);
	check_total(frame_rig_build(&r), "total   80.0 0.75*  750*  950*  5  1 several 3 tasks",
		    "what could not be counted makes sums partial");
	frame_rig_done(&r);
	begin(&r);
	ADD(&r, .id = 40, .counting = COUNT_DENIED, .cpu_ns = 50000000, .processor = 1);
	check_total(frame_rig_build(&r), "total    5.0     ?     ?     ?  1  1 user  1 task",
		    "unknown for all is unknown");
	frame_rig_done(&r);
	begin(&r);
	add_two(&r);
	ADD(&r, .id = 40, .user = "ann", .counting = COUNT_OK, .count = {2000, 1000},
	    .cpu_ns = 50000000, .dead = true, .num_threads = 7);
	check_total(frame_rig_build(&r), "total   80.0  1.38  2750  3050  4  1 ann   3 tasks",
		    "what has ended counts, but has no threads any more");
	frame_rig_done(&r);
}

/* The row of an ended task stays (sticky), but its increments count only in the interval in which
 * it ended. */
static void test_ended(void)
{
	struct dead_list dead;
	struct frame_rig r;

	begin(&r);
	r.view.sticky = true;
	add_two(&r);
	ADD(&r, .id = 40, .user = "ann", .counting = COUNT_OK, .count = {2000, 1000},
	    .cpu_ns = 900000000, .dead = true);
	frame_rig_build(&r);
	dead_init(&dead);
	dead_collect(&dead, &r.processes);
	/* In the next interval, the task is in no sample. */
	r.processes.n--;
	r.sample[1].n--;
	frame_build(&r.frame, frame_rig_bind(&r), &r.view, &r.processes, &dead, 2);
	r.sample[1].n++;
	check_total(&r.frame, "total   75.0  0.75   750  3050  4  1 ann   3 tasks",
		    "one that ended before adds to totals alone");
	dead_done(&dead);
	frame_rig_done(&r);
}

/* The CPU time of children is added when they end, for their whole lives, so it is not part of an
 * interval's total. */
static void test_children(void)
{
	struct screen *s = screen_new("test", "a test");
	struct frame_rig r;

	screen_add_column(s, "%CHLD", "%5.1f", NULL, "100 * rate(CHILD_NS) / 1e9");
	frame_rig_init(&r, s);
	r.view.total = true;
	ADD(&r, .id = 10, .cpu_ns = 1000);
	check_total(frame_rig_build(&r), "total      - 1 task", "what they did is of no interval");
	frame_rig_done(&r);
}

/* Values of the process count once for all of its threads, even if the leader has no row. */
static void test_threads(void)
{
	struct frame_rig r;

	begin(&r);
	r.view.threads = true;
	ADD(&r, .id = 10, .counting = COUNT_OK, .num_threads = 3);
	ADD(&r, .id = 11, .pid = 10, .counting = COUNT_OK, .count = {10, 10}, .cpu_ns = 100000000,
	    .num_threads = 3);
	ADD(&r, .id = 12, .pid = 10, .counting = COUNT_OK, .count = {10, 10}, .cpu_ns = 100000000,
	    .num_threads = 3);
	ADD(&r, .id = 20, .counting = COUNT_OK, .count = {10, 10}, .cpu_ns = 100000000);
	check_total(frame_rig_build(&r), "total   30.0  1.00    30   330  4  0 user  3 threads",
		    "threads of two processes");
	frame_rig_done(&r);
}

/* The total of rows that are not tasks is labelled by their kind. */
static void test_kinds(void)
{
	struct frame_rig r;

	begin(&r);
	add_two(&r);
	frame_rig_build(&r);
	r.processes.kind = &kind_cpu;
	frame_build(&r.frame, frame_rig_bind(&r), &r.view, &r.processes, NULL, 1);
	tap_str(r.frame.total->label, "2 CPUs", "they are called by their kind");
	r.processes.kind = &kind_region;
	frame_build(&r.frame, frame_rig_bind(&r), &r.view, &r.processes, NULL, 1);
	tap_str(r.frame.total->label, "2 regions", "and what is in processes, too");
	frame_rig_done(&r);
}

static void test_groups(void)
{
	const struct filter all = FILTER_ALL;
	struct grouping by = {.filter = &all};
	struct delta groups;
	struct frame_rig r;
	struct retired_groups retired;

	begin(&r);
	add_two(&r);
	ADD(&r, .id = 30, .user = "eve", .name = "other", .uid = 7, .counting = COUNT_OK,
	    .count = {250, 1000}, .cpu_ns = 10000000, .processor = 1);
	frame_rig_build(&r);
	delta_init(&groups);
	retired_groups_init(&retired);
	/* All programs of the same name are one group. */
	for (int k = GROUP_USER; k <= GROUP_PROGRAM; k++) {
		by.key = r.view.group = (enum group_key)k;
		fold_groups(&groups, &r.processes, &by, &retired);
		frame_build(&r.frame, &r.binding, &r.view, &groups, NULL, 1);
		tap_int(r.frame.n, 2, "two groups");
		check_total(&r.frame,
			    k == GROUP_USER
				    ? "total   76.0  0.50  1000  1300  5  1 several 3 tasks"
				    : "   total   76.0  0.50  1000  1300  5  1 several 3 tasks",
			    "have the total of their members");
	}
	delta_done(&groups);
	retired_groups_done(&retired);
	frame_rig_done(&r);
}

/* Totals of random rows: counts are sums, and the ratio is that of the sums. */
static void test_random(void)
{
	unsigned faults = 0;

	for (unsigned seed = 0; seed < 200; seed++) {
		double cpu = 0, instr = 0, cycles = 0, total = 0;
		const struct frame *f;
		struct frame_rig r;

		srand(seed);
		begin(&r);
		r.view.idle = seed % 2;
		r.view.reverse = seed % 3;
		for (int i = 1; i < 2 + (int)(seed % 20); i++)
			ADD(&r, .id = 10 * i, .counting = COUNT_OK,
			    .count = {(uint64_t)(rand() % 1000), 1 + (uint64_t)(rand() % 1000)},
			    .cpu_ns = (uint64_t)(rand() % 4) * 1000000, .dead = rand() % 5 == 0);
		f = frame_rig_build(&r);
		for (size_t i = 0; i < f->n; i++) {
			cpu += frame_value(f, &f->row[i], CPU).number;
			instr += frame_value(f, &f->row[i], INSTR).number;
			cycles += f->row[i].from->increment[1].number;
			total += frame_value(f, &f->row[i], TOTAL).number;
		}
		if (f->n)
			faults +=
				frame_value(f, f->total, INSTR).number != instr ||
				frame_value(f, f->total, TOTAL).number != total ||
				frame_value(f, f->total, IPC).number != (double)(instr / cycles) ||
				!(frame_value(f, f->total, CPU).number - cpu < 1e-9 &&
				  cpu - frame_value(f, f->total, CPU).number < 1e-9);
		else
			faults += f->total != NULL;
		frame_rig_done(&r);
	}
	tap_int(faults, 0, "200 times, the total is the sum of the rows");
}

int main(void)
{
	test_sums();
	test_quality();
	test_ended();
	test_children();
	test_threads();
	test_kinds();
	test_groups();
	test_random();
	return tap_done();
}
