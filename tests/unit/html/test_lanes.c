/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Lanes: their cells, means and peaks; buckets that are merged; gaps; the limit of cells; verdicts.
 */
#include "html/lanes.h"

#include <math.h>

#include "model/kinds.h"
#include "screen/compile.h"
#include "tap.h"

#define BEGIN_NS  1700000000000000000u
#define SECOND_NS 1000000000u

enum { CPU, IPC, N_COLUMNS };

struct rig {
	struct screen *screen;
	struct lanes lanes;
	uint64_t at_ns; /* the end of the last interval */
};

static void report(void *context, int line, const struct err *err)
{
	(void)context, (void)line;
	tap_ok(false, "%s", err->text);
}

static void begin(struct rig *r, size_t cells_max)
{
	r->screen = screen_new("s", "");
	screen_add_counter(r->screen, "a", "1", "RAW");
	screen_add_counter(r->screen, "b", "2", "RAW");
	screen_add_column(r->screen, "%CPU", "%5.1f", "", "CPU_TOT");
	screen_add_column(r->screen, "P", "%2.0f", "", "PROC_ID");
	screen_add_column(r->screen, "IPC", "%5.2f", "", "delta(a) / delta(b)");
	screen_compile(r->screen, report, NULL, NULL);
	lanes_init(&r->lanes, r->screen, 3, cells_max);
	r->at_ns = BEGIN_NS;
}

static void end(struct rig *r)
{
	lanes_done(&r->lanes);
	screen_free(r->screen);
}

static struct value number(double n)
{
	return isnan(n) ? value_none(QUALITY_DENIED) : value_exact(n);
}

/* Adds a row of a task or a program in the current interval. */
static void add(struct rig *r, enum lane_kind kind, uint64_t id, const char *name, double cpu_s,
		double ipc)
{
	const struct task task = {.kind = &kind_task,
				  .id = id,
				  .owner = id,
				  .name = name,
				  .process = name,
				  .user = "u"};
	const struct delta_row delta = {.task = &task, .cpu_ns = value_exact(cpu_s * 1e9)};
	struct value cell[] = {number(100 * cpu_s), value_exact(0), number(ipc)};
	struct frame_row row = {.task = &task, .from = &delta, .cell = cell};
	struct frame frame = {.screen = r->screen, .row = &row, .n = 1};

	lanes_add(&r->lanes, kind, &frame);
}

/* Begins an interval of this length after a pause; running: threads that run. */
static bool pass(struct rig *r, uint64_t pause_ns, uint64_t ns, int running)
{
	const struct host host = {.load1 = 1, .n_running = running};

	r->at_ns += pause_ns + ns;
	return lanes_begin(&r->lanes, &(struct frame){.screen = r->screen,
						      .host = &host,
						      .wall_ns = r->at_ns,
						      .interval_ns = ns});
}

static const struct lane *find(const struct rig *r, enum lane_kind kind, const char *name)
{
	for (size_t i = 0; i < r->lanes.n; i++)
		if (r->lanes.v[i]->kind == kind && !strcmp(r->lanes.v[i]->name, name))
			return r->lanes.v[i];
	return NULL;
}

static void test_cells(void)
{
	const struct lane *a;
	struct rig r;

	begin(&r, 0);
	tap_int(r.lanes.n_columns, N_COLUMNS, "the number of a CPU has no mean, and no column");
	tap_ok(!pass(&r, 0, 0, 1), "a restart is no interval");
	pass(&r, 0, SECOND_NS, 5);
	add(&r, LANE_TASK, 7, "a", 0.5, 2);
	add(&r, LANE_TASK, 8, "a", 0.25, (double)NAN);
	add(&r, LANE_PROGRAM, 0, "a", 0.75, 2);
	pass(&r, 0, SECOND_NS, 0);
	add(&r, LANE_TASK, 9, "b", 1, 1);
	lanes_end(&r.lanes);
	a = find(&r, LANE_TASK, "a");
	tap_int(a->id, 7, "of two tasks of one name, the busier one is first");
	tap_int(a->n, 1, "it has a cell for the bucket in which it ran");
	tap_num((double)a->number[IPC].mean, 2, "with its number");
	tap_num(find(&r, LANE_USER, "u")->cpu_s, 1.75, "a user has the time of all tasks");
	tap_num(r.lanes.bucket[0].cpu_s, 0.75, "a bucket, too");
	tap_num((double)r.lanes.bucket[0].machine[LANE_RUNNING].max, 5, "and the run queue");
	tap_num((double)r.lanes.bucket[1].machine[LANE_RUNNING].weight, 0, "which may be unknown");
	tap_num((double)r.lanes.bucket[0].machine[LANE_BUSY].weight, 0, "as the use of CPUs is");
	a = r.lanes.v[3];
	tap_ok(a->id == 8 && a->number[IPC].weight == 0, "an unknown number is not 0");
	tap_int(a->why[IPC], QUALITY_DENIED, "and has a reason");
	add(&r, LANE_TASK, 10, "huge", 0.1, 1e300);
	tap_num((double)find(&r, LANE_TASK, "huge")->number[IPC].weight, 0,
		"a number that no page can show is unknown");
	tap_ok(find(&r, LANE_CONTAINER, "?") && !r.lanes.container_known, "no container is known");
	end(&r);
}

/* Moments extend the ranges of the numbers of an interval: of a task, its program and the
 * machine. */
static void test_moments(void)
{
	const struct host host = {.n_running = 30, .load1 = 0.5};
	const struct task task[] = {
		{.kind = &kind_task, .id = 7, .owner = 7, .name = "a", .process = "a"},
		{.kind = &kind_task, .id = 8, .owner = 8, .name = "a", .process = "a"},
		{.kind = &kind_task, .id = 9, .owner = 9, .name = "out", .process = "out"}};
	const struct lane *a;
	struct rig r;

	begin(&r, 0);
	pass(&r, 0, 60 * SECOND_NS, 5);
	add(&r, LANE_TASK, 7, "a", 0.5, 2);
	add(&r, LANE_TASK, 8, "a", 0.25, 2);
	add(&r, LANE_PROGRAM, 0, "a", 0.75, 2);
	lanes_widen_machine(&r.lanes, &host, NULL);
	lanes_widen_task(&r.lanes, &task[0], 0);
	lanes_widen_task(&r.lanes, &task[1], 0.125f);
	lanes_end_moment(&r.lanes);
	lanes_widen_task(&r.lanes, &task[0], 2);
	lanes_widen_task(&r.lanes, &task[1], 1);
	lanes_widen_task(&r.lanes, &task[2], 9);
	lanes_end_moment(&r.lanes);
	lanes_end(&r.lanes);
	a = find(&r, LANE_TASK, "a");
	tap_num((double)a->number[CPU].max, 200, "the most of a task");
	tap_num((double)a->number[CPU].min, 0, "and the least");
	tap_num((double)a->number[CPU].mean, 50, "its mean is that of the interval");
	tap_num((double)a->number[IPC].max, 2, "as are other numbers");
	a = find(&r, LANE_PROGRAM, "a");
	tap_num((double)a->number[CPU].max, 300, "the most of a program is that of one moment");
	tap_num((double)a->number[CPU].min, 12.5, "and the least");
	tap_ok(!find(&r, LANE_TASK, "out"), "a task that is left out gets no lane");
	tap_num((double)r.lanes.bucket[0].machine[LANE_RUNNING].max, 30, "the run queue");
	tap_num((double)r.lanes.bucket[0].machine[LANE_LOAD].min, 0.5, "the load");
	tap_num((double)r.lanes.bucket[0].machine[LANE_BUSY].weight, 0,
		"what is not known stays so");
	end(&r);
}

/* Runs a task in many intervals, with a peak in one of them. */
static void test_peak(void)
{
	const struct lane *a;
	double cpu_s = 0;
	float most = 0;
	struct rig r;

	begin(&r, 0);
	for (int i = 0; i < 10000; i++) {
		pass(&r, 0, SECOND_NS, i == 5000 ? 40 : 2);
		add(&r, LANE_TASK, 7, "a", i == 5000 ? 0.9 : 0.1, i % 2 ? 1 : 3);
	}
	a = find(&r, LANE_TASK, "a");
	tap_ok(r.lanes.n_buckets <= LANES_BUCKETS_MAX && r.lanes.n_buckets > LANES_BUCKETS_MAX / 2,
	       "the number of buckets is bounded: %zu", r.lanes.n_buckets);
	tap_int(a->n, r.lanes.n_buckets, "and so are the cells");
	for (size_t i = 0; i < a->n; i++) {
		cpu_s += (double)a->cell[i].cpu_s;
		most = fmaxf(most, a->number[i * N_COLUMNS + CPU].max);
	}
	tap_ok(fabs(cpu_s - 1000.8) < 0.01, "no time is lost: %g s", cpu_s);
	tap_num((double)most, 90, "nor is the peak");
	tap_ok(fabs((double)a->number[IPC].mean - 2) < 0.01, "the mean is that of both numbers");
	tap_ok(a->number[IPC].min == 1 && a->number[IPC].max == 3, "beside the extremes");
	tap_ok(r.lanes.bucket[0].machine[LANE_RUNNING].mean == 2, "the machine is merged, too");
	end(&r);
}

/* A ratio is weighted with the CPU time: a task that hardly ran has little influence. */
static void test_weights(void)
{
	struct rig r;

	begin(&r, 0);
	r.lanes.per = 2;
	pass(&r, 0, SECOND_NS, 1);
	add(&r, LANE_TASK, 7, "a", 0.9, 1);
	pass(&r, 0, SECOND_NS, 1);
	add(&r, LANE_TASK, 7, "a", 0.1, 2);
	tap_int(r.lanes.n_buckets, 1, "two intervals are one bucket");
	tap_ok(fabs((double)r.lanes.v[0]->number[IPC].mean - 1.1) < 1e-6, "IPC by CPU time");
	tap_ok(fabs((double)r.lanes.v[0]->number[CPU].mean - 50) < 1e-4, "%%CPU by time");
	pass(&r, 3600ull * SECOND_NS, SECOND_NS, 1);
	tap_int(r.lanes.n_buckets, 2, "no bucket goes across a gap");
	r.at_ns -= 1800ull * SECOND_NS;
	pass(&r, 0, SECOND_NS, 1);
	tap_ok(r.lanes.bucket[1].end_ns - r.lanes.bucket[1].begin_ns == 2ull * SECOND_NS,
	       "a clock that was set back goes on");
	end(&r);
}

static void test_limit(void)
{
	struct rig r;

	begin(&r, 100);
	for (int i = 0; i < 20; i++) {
		pass(&r, 0, SECOND_NS, 1);
		for (uint64_t id = 1; id <= 10; id++)
			add(&r, LANE_TASK, id, "t", (double)id / 20, 1);
	}
	lanes_end(&r.lanes);
	tap_ok(r.lanes.n_cells <= 100, "cells are bounded: %zu", r.lanes.n_cells);
	tap_ok(!r.lanes.v[0]->cut && r.lanes.v[0]->n == 20,
	       "the busiest task has all of its cells");
	tap_ok(r.lanes.v[9]->cut && !r.lanes.v[9]->n, "the others have none");
	tap_num(r.lanes.v[9]->cpu_s, 1, "but their sums");
	end(&r);
}

static void test_told(void)
{
	const struct task task = {
		.kind = &kind_task, .id = 7, .owner = 7, .name = "a", .process = "a"};
	struct lane_example *example;
	struct rig r;

	begin(&r, 0);
	tap_ok(!lanes_add_words(&r.lanes, &task, 1, 1e9, false), "no verdict without an interval");
	pass(&r, 0, SECOND_NS, 1);
	add(&r, LANE_TASK, 7, "a", 0.5, 1);
	example = lanes_add_words(&r.lanes, &task, 1, 3e8, true);
	tap_ok(example && example->at_ns == r.at_ns, "the first verdict is an example");
	tap_ok(!lanes_add_words(&r.lanes, &task, 1, 2e8, false), "a shorter one is none");
	tap_ok(lanes_add_words(&r.lanes, &task, 2, 2e8, false), "but of another verdict");
	tap_int(r.lanes.v[0]->n_by_word, 2, "a bucket has each verdict once");
	tap_num((double)r.lanes.v[0]->by_word[0].cpu_s, 0.5, "with all of its time");
	tap_ok(fabs((double)r.lanes.v[0]->by_word[0].maybe_s - 0.3) < 1e-6,
	       "and what is uncertain");
	tap_int(find(&r, LANE_PROGRAM, "a")->n_by_word, 2, "the program has it, too");
	end(&r);
}

int main(void)
{
	test_cells();
	test_moments();
	test_peak();
	test_weights();
	test_limit();
	test_told();
	return tap_done();
}
