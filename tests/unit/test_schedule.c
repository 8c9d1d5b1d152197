/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Groups that the kernel accepts but never schedules are noticed and made smaller, and only those.
 */
#include "live_rig.h"

#define STEPS 1000 /* 40 ms on a CPU: enough to say that a group does not run */

static void run(struct rig *r, int steps)
{
	world_run(&r->world, 10, (uint64_t)steps * RIG_STEP_NS);
}

static void begin(struct rig *r, int n_events, int never_above)
{
	rig_init(r);
	world_start(&r->world, 10, "alpha");
	world_wait(&r->world, 10000000000);
	r->pmu.script.never_above = never_above;
	rig_configure(r, &(struct rig_want){.n_events = n_events, .filter = FILTER_ALL});
	rig_next(r);
}

/* Samples until the event has a number, 12 at most; returns how many it took. */
static int samples_until_counted(struct rig *r, int event)
{
	for (int i = 1; i <= 12; i++) {
		run(r, STEPS);
		rig_next(r);
		if (!strncmp(rig_increment(r, 10, event), "exact", 5))
			return i;
	}
	return -1;
}

static void test_cut_once(void)
{
	static struct rig r;

	begin(&r, 7, 6);
	run(&r, STEPS);
	rig_next(&r);
	tap_str(rig_increment(&r, 10, 0), "not-scheduled", "a group of 7 where 6 run has no number");
	tap_int(rig_sample(&r)->generation, 1, "one sample is not enough to cut it");
	tap_int(samples_until_counted(&r, 0), 2, "after a second one it is cut, and the next has numbers");
	tap_str(rig_increment(&r, 10, 6), "exact 280000000", "for all events");
	tap_int(rig_sample(&r)->generation, 2, "in a second generation");
	tap_int(samples_until_counted(&r, 0), 1, "which stays");
	tap_int(rig_sample(&r)->generation, 2, "for good");
	rig_end(&r, "cut once");
}

static void test_cut_again(void)
{
	static struct rig r;

	begin(&r, 7, 1);
	tap_ok(samples_until_counted(&r, 0) > 0, "a PMU with a single counter gets to numbers, too");
	for (int i = 0; i < 7; i++)
		tap_ok(strstr(rig_increment(&r, 10, i), "exact "), "event %d alone", i);
	rig_end(&r, "cut again");
}

static void test_left_alone(void)
{
	static struct rig r;

	begin(&r, 1, 0);
	r.pmu.script.share_running = 0;
	r.pmu.script.share_of = 1;
	for (int i = 0; i < 4; i++) {
		run(&r, STEPS);
		rig_next(&r);
	}
	tap_int(rig_sample(&r)->generation, 1, "a single event cannot be cut: nothing is opened anew for ever");
	tap_str(rig_increment(&r, 10, 0), "not-scheduled", "it has no number");
	rig_end(&r, "single");

	begin(&r, 4, 0);
	for (int i = 0; i < 3; i++) {
		run(&r, 1); /* 40 microseconds */
		r.pmu.script.share_of = 1;
		rig_next(&r);
	}
	tap_int(rig_sample(&r)->generation, 1, "a task that hardly runs says nothing");
	rig_end(&r, "short");
}

/* Another user's pinned events hold the whole PMU: nothing can be done, and nothing is done for ever. */
static void test_held(void)
{
	static struct rig r;
	uint64_t generation;

	begin(&r, 5, 0);
	r.pmu.script.share_running = 0;
	r.pmu.script.share_of = 1;
	for (int i = 0; i < 16; i++) {
		run(&r, STEPS);
		rig_next(&r);
	}
	generation = rig_sample(&r)->generation;
	for (int i = 0; i < 8; i++) {
		run(&r, STEPS);
		rig_next(&r);
		tap_str(rig_increment(&r, 10, i % 5), "not-scheduled", "held: no number");
	}
	tap_int(rig_sample(&r)->generation, generation, "held: the attempts come to an end");
	r.pmu.script.share_running = 1;
	tap_int(samples_until_counted(&r, 4), 1, "when it is given back, there are numbers at once");
	rig_end(&r, "held");
}

/* A counter that one kind of cores lacks, first in its group, while the task stays on those: nothing starves. */
static void test_other_cores(void)
{
	static struct rig r;

	rig_init(&r);
	r.pmu.script.core_type[0] = RIG_CORE;
	r.pmu.script.core_type[1] = RIG_ATOM;
	r.pmu.script.no_atom = 1;
	world_start(&r.world, 10, "alpha");
	world_wait(&r.world, 10000000000);
	rig_configure(&r, &(struct rig_want){.n_events = 3, .hybrid = true, .filter = FILTER_ALL});
	rig_next(&r);
	pmu_task(&r.pmu, 10)->core = 1;
	for (int i = 0; i < 5; i++) {
		run(&r, STEPS);
		rig_next(&r);
	}
	tap_int(rig_sample(&r)->generation, 1, "a group for other cores waits without fault");
	tap_str(rig_increment(&r, 10, 0), "other-core", "what only they have has no number");
	tap_str(rig_increment(&r, 10, 1), "exact 80000000", "what both have does");
	rig_end(&r, "other cores");
}

int main(void)
{
	test_cut_once();
	test_cut_again();
	test_left_alone();
	test_held();
	test_other_cores();
	return tap_done();
}
