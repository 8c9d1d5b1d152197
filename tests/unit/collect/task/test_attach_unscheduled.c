/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Groups that the kernel accepts but never schedules on the PMU. Detected before the first refresh
 * or later, they are made smaller, and enlarged once possible, with as few refreshes without
 * numbers as possible.
 */
#include <errno.h>

#include "live_rig.h"

/* Steps of a refresh: 320 ms of CPU time. Enough to detect that a group is not scheduled, with up
 * to 16 groups. */
#define STEPS 8000

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
	rig_configure(r, &(struct rig_want)RIG_WANT(n_events));
	rig_next(r);
}

static void refresh(struct rig *r)
{
	run(r, STEPS);
	rig_next(r);
}

/* Returns whether the row exists, has an exact CPU time, and an exact count of the event. */
static bool is_counted(struct rig *r, int event)
{
	const struct delta_row *row = rig_row(r, 10);

	return row && row->cpu_ns.quality == QUALITY_EXACT &&
	       !strncmp(rig_increment(r, 10, event), "exact", 5);
}

/* Refreshes until the event has a number. Returns the number of refreshes without one, -1 after
 * 100. In each of them, the row must exist. */
static int wait_for(struct rig *r, int event)
{
	for (int i = 0; i < 100; i++) {
		refresh(r);
		if (is_counted(r, event))
			return i;
		tap_ok(rig_row(r, 10) && value_known(rig_row(r, 10)->cpu_ns),
		       "%d without a number: the row is there", i + 1);
	}
	return -1;
}

/* Returns the number of groups opened on the task: a sample does not show them, but calls of open
 * do. */
static int n_groups(const struct rig *r)
{
	int n = 0;

	for (int i = 0; i < PMU_FDS; i++) {
		const struct pmu_event *e = &r->pmu.event[i];

		n += e->used && e->open && e->tid == 10 && e->leader == e;
	}
	return n;
}

static void test_known_before(void)
{
	static struct rig r;

	begin(&r, 7, 6);
	tap_int(wait_for(&r, 0), 0, "7 events, 6 counters: the first refresh has a number");
	for (int i = 0; i < 7; i++)
		tap_ok(is_counted(&r, i), "event %d", i);
	tap_int(n_groups(&r), 2, "in two groups");
	tap_int(rig_sample(&r)->generation, 1, "without a new start");
	rig_end(&r, "known before");

	begin(&r, 7, 1);
	tap_int(wait_for(&r, 6), 0, "a single counter: the first refresh, too");
	rig_end(&r, "one counter");
}

static void test_taken_later(void)
{
	static struct rig r;

	begin(&r, 7, 0);
	tap_int(wait_for(&r, 6), 0, "no process holds counters");
	r.pmu.script.never_above = 5;
	refresh(&r);
	tap_str(rig_increment(&r, 10, 0), "not-scheduled",
		"some are taken: one refresh without a number");
	tap_ok(value_known(rig_row(&r, 10)->cpu_ns), "with its row");
	tap_int(wait_for(&r, 0), 0, "and the next one has it");
	tap_int(n_groups(&r), 2, "of smaller groups");
	tap_int(wait_for(&r, 6), 0, "as it stays");
	rig_end(&r, "taken later");
}

/* A group is enlarged when a counter becomes free, without a refresh that lacks numbers. */
static void test_given_back(void)
{
	static struct rig r;
	int n = 0;

	begin(&r, 7, 6);
	refresh(&r);
	r.pmu.script.never_above = 0;
	while (n < 40 && n_groups(&r) > 1 && is_counted(&r, 0) && is_counted(&r, 6)) {
		refresh(&r);
		n++;
	}
	tap_ok(n > 1 && n < 40, "given back: noticed after some refreshes (%d)", n);
	tap_int(n_groups(&r), 1, "then one group again");
	tap_ok(is_counted(&r, 0), "the refresh before has its number");
	tap_int(wait_for(&r, 0), 0, "and so has the one behind");
	rig_end(&r, "given back");
}

/* A plan that cannot be improved is kept. */
static void test_stays(void)
{
	static struct rig r;

	begin(&r, 7, 6);
	for (int i = 0; i < 50; i++)
		refresh(&r);
	tap_int(rig_sample(&r)->generation, 1, "held for ever: no new start in 50 refreshes");
	tap_ok(is_counted(&r, 0), "but numbers");
	rig_end(&r, "stays");
}

/* Another program's events are pinned on the watched task, which a trial on tiptop itself cannot
 * detect: it takes refreshes without numbers. */
static void test_pinned_on_task(void)
{
	static struct rig r;

	begin(&r, 7, 0);
	r.pmu.script.task_never_above = 4;
	tap_int(wait_for(&r, 0), 2, "held on the task only: two refreshes without a number");
	tap_int(wait_for(&r, 6), 0, "then numbers");
	rig_configure(&r, &(struct rig_want)RIG_WANT(7, .threads = true));
	rig_next(&r);
	tap_int(wait_for(&r, 0), 0, "rows of threads: it is not forgotten");
	rig_configure(&r, &(struct rig_want)RIG_WANT(9));
	rig_next(&r);
	tap_int(wait_for(&r, 0), 0, "nor on another screen with these events");
	rig_end(&r, "pinned on a task");
}

/* Refreshes of 50 ms, and groups that each wait long for their turn on the PMU. */
static void test_short_refreshes(void)
{
	static struct rig r;
	int n = 0;

	begin(&r, 12, 4);
	run(&r, 1250);
	rig_next(&r);
	tap_int(n_groups(&r), 3, "three groups take turns");
	r.pmu.script.never_above = 2;
	do {
		run(&r, 1250);
		rig_next(&r);
	} while (!is_counted(&r, 0) && ++n < 20);
	tap_int(n, 1, "short refreshes: counters that are taken cost one of them");
	rig_end(&r, "short refreshes");

	begin(&r, 12, 4);
	run(&r, 1250);
	rig_next(&r);
	r.pmu.script.task_never_above = 3;
	n = 0;
	do {
		run(&r, 1250);
		rig_next(&r);
	} while (!is_counted(&r, 0) && ++n < 20);
	tap_ok(n >= 2 && n <= 3,
	       "held on the task: as many as three groups need for two turns (%d)", n);
	rig_end(&r, "short refreshes, held on the task");
}

static void test_left_alone(void)
{
	static struct rig r;

	begin(&r, 1, 0);
	r.pmu.script.share_of = 1;
	for (int i = 0; i < 4; i++)
		refresh(&r);
	tap_int(rig_sample(&r)->generation, 1,
		"a single event cannot be cut: nothing is reopened for ever");
	tap_str(rig_increment(&r, 10, 0), "not-scheduled", "it has no number");
	rig_end(&r, "single");

	begin(&r, 4, 0);
	for (int i = 0; i < 3; i++) {
		run(&r, 1); /* 40 µs */
		r.pmu.script.share_of = 1;
		rig_next(&r);
	}
	tap_int(rig_sample(&r)->generation, 1, "a task that hardly runs says nothing");
	rig_end(&r, "short");
}

/* No event on tasks is ever scheduled: attempts with smaller groups end after a few refreshes. */
static void test_held(void)
{
	static struct rig r;
	uint64_t generation;

	begin(&r, 5, 0);
	r.pmu.script.share_of = 1;
	for (int i = 0; i < 6; i++)
		refresh(&r);
	generation = rig_sample(&r)->generation;
	tap_int((long)generation, 3, "held: halves, then single events");
	for (int i = 0; i < 3; i++) {
		refresh(&r);
		tap_str(rig_increment(&r, 10, i), "not-scheduled", "held: no number");
	}
	tap_int(rig_sample(&r)->generation, generation, "held: the attempts come to an end");
	r.pmu.script.share_running = 1;
	tap_int(wait_for(&r, 4), 0, "when it is given back, there are numbers at once");
	rig_end(&r, "held");
}

/* The leader of a group is an event that one kind of cores lacks, and the task stays on such cores.
 * That the group does not run is not a fault. */
static void test_other_cores(void)
{
	static struct rig r;

	rig_init(&r);
	r.pmu.script.core_type[0] = RIG_CORE;
	r.pmu.script.core_type[1] = RIG_ATOM;
	r.pmu.script.no_atom = 1;
	world_start(&r.world, 10, "alpha");
	world_wait(&r.world, 10000000000);
	rig_configure(&r, &(struct rig_want)RIG_WANT(3, .hybrid = true));
	rig_next(&r);
	pmu_task(&r.pmu, 10)->core = 1;
	for (int i = 0; i < 5; i++)
		refresh(&r);
	tap_int(rig_sample(&r)->generation, 1, "a group for other cores waits without fault");
	tap_str(rig_increment(&r, 10, 0), "other-core", "what only they have has no number");
	tap_str(rig_increment(&r, 10, 1), "exact 640000000", "what both have does");
	rig_end(&r, "other cores");
}

/* tiptop may not run on one kind of cores, from the start or since later, so no trial is possible
 * there. One log line says so, and refreshes show which groups are scheduled. */
static void test_no_visit(bool later)
{
	struct rig_want want = RIG_WANT(4, .hybrid = true);
	struct log log = LOG_INIT;
	static struct rig r;

	rig_init(&r);
	r.pmu.script.core_type[0] = RIG_CORE;
	r.pmu.script.core_type[1] = RIG_ATOM;
	r.pmu.script.no_visit[1] = later ? 0 : ENODEV;
	r.pmu.script.core_never_above[1] = later ? 0 : 2;
	world_start(&r.world, 10, "alpha");
	world_wait(&r.world, 10000000000);
	want.log = &log;
	for (int i = 0; i < 3; i++) {
		rig_configure(&r, &want);
		rig_next(&r);
	}
	tap_int((long)log.n, !later, "said at the start where it is so");
	pmu_task(&r.pmu, 10)->core = 1;
	r.pmu.script.no_visit[1] = ENODEV;
	r.pmu.script.core_never_above[1] = 2;
	tap_int(wait_for(&r, 3), 2, "two refreshes without a number, then there are some");
	tap_ok(log.n == 1 && !strcmp(log.line[0].text, "core 1 cannot be visited"), "said once: %s",
	       log.n ? log.line[0].text : "nothing");
	log_done(&log);
	rig_end(&r, later ? "no visit any more" : "no visit");
}

int main(void)
{
	test_known_before();
	test_taken_later();
	test_given_back();
	test_stays();
	test_pinned_on_task();
	test_short_refreshes();
	test_left_alone();
	test_held();
	test_other_cores();
	test_no_visit(false);
	test_no_visit(true);
	return tap_done();
}
