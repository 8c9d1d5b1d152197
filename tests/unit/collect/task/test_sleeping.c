/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Processes that sleep: their clocks are not read, and yet no time is missing. Each number of each
 * sample is compared with the truth (live_rig.h).
 */
#include "collect/task/sleeping.h"

#include <errno.h>
#include <string.h>

#include "collect/task/live_process.h"
#include "live_rig.h"

/* 10 runs all the time, which shows that the kernel updates pages. */
#define BUSY 10

/* Enough refreshes for all to fall asleep. */
#define LONG (SLEEPING_AFTER + 10)

static struct process *process_of(const struct rig *r, int pid)
{
	return table_get(&((struct live *)r->source)->table, pid);
}

static bool sleeps(const struct rig *r, int pid)
{
	return process_sleeps(process_of(r, pid));
}

static void wait_refreshes(struct rig *r, int n)
{
	for (int i = 0; i < n; i++) {
		RUN(r, BUSY, 1);
		rig_next(r);
	}
}

/* Goes on to a refresh before which the process, like others with a pid below SLEEPING_CHECKS, is
 * not checked for several refreshes. */
static void wait_unchecked(struct rig *r)
{
	struct live *l = (struct live *)r->source;

	while (l->refresh % SLEEPING_CHECKS != 0)
		wait_refreshes(r, 1);
}

/* Lets the pages of events be mapped. */
static void map_pages(struct rig *r)
{
	pmu_map_pages(&r->pmu);
	faulty_sys_init(&r->sys, &r->pmu.sys, &r->plan);
}

static void begin(struct rig *r, int n)
{
	const struct rig_want want = RIG_WANT(1, .facts = ALL_FACTS);

	rig_begin_tasks(r, n);
	map_pages(r);
	rig_configure(r, &want);
	rig_next(r);
}

static void test_asleep(void)
{
	struct rig r;
	int before;

	begin(&r, 4);
	wait_refreshes(&r, SLEEPING_AFTER - 1);
	tap_ok(!sleeps(&r, 20), "a process that was idle for %d refreshes is awake",
	       SLEEPING_AFTER - 1);
	wait_refreshes(&r, LONG - SLEEPING_AFTER + 1);
	tap_ok(sleeps(&r, 20) && sleeps(&r, 30) && sleeps(&r, 40), "then it sleeps");
	tap_ok(!sleeps(&r, BUSY), "one that runs does not");
	wait_unchecked(&r);
	before = r.world.calls.cpu_clock;
	wait_refreshes(&r, 5);
	tap_int(r.world.calls.cpu_clock - before, 10,
		"only the clock of the one that runs is read");
	RUN(&r, 30, 7);
	wait_refreshes(&r, 1);
	tap_int((int)rig_row(&r, 30)->cpu_ns.number, 7 * RIG_STEP_NS, "CPU time after a sleep");
	tap_ok(!sleeps(&r, 30) && sleeps(&r, 20), "only the one that has run is awake");
	wait_refreshes(&r, LONG);
	tap_ok(sleeps(&r, 30), "it falls asleep again");
	rig_end(&r, "asleep");
}

static void test_end(void)
{
	struct rig r;

	begin(&r, 4);
	wait_refreshes(&r, LONG);
	RUN(&r, 20, 3);
	world_exit(&r.world, 20);
	wait_refreshes(&r, 1);
	tap_ok(rig_task(&r, 20)->dead, "a process that ends after a sleep is shown as ended");
	world_reap(&r.world, 20);
	wait_refreshes(&r, 2);
	tap_ok(!rig_task(&r, 20), "and then no more");
	rig_end(&r, "end");
}

static void test_filter(void)
{
	struct filter filter = FILTER_ALL;
	struct rig r;

	begin(&r, 3);
	wait_refreshes(&r, LONG);
	filter.text = "nothing has this name";
	r.source->ops->filter(r.source, &filter);
	tap_ok(!sleeps(&r, 20), "a process that the filter leaves out has no event");
	rig_end(&r, "filter");
}

/* Begins with a process of n threads, beside the one that is busy. */
static void begin_threads(struct rig *r, int n)
{
	const struct rig_want want = RIG_WANT(1, .facts = ALL_FACTS);

	rig_begin_tasks(r, 1);
	map_pages(r);
	world_start(&r->world, 20, "threads");
	for (int i = 1; i < n; i++)
		world_start_thread(&r->world, 20, 20 + i, 20);
	rig_configure(r, &want);
	rig_next(r);
}

static void test_threads(void)
{
	struct rig r;

	begin_threads(&r, 3);
	wait_refreshes(&r, 3 * SLEEPING_AFTER - 2);
	tap_ok(!sleeps(&r, 20), "a process of three threads stays awake for longer");
	wait_refreshes(&r, 10);
	tap_ok(sleeps(&r, 20), "then it sleeps");
	tap_int(pmu_open_on(&r.pmu, 20) + pmu_open_on(&r.pmu, 21) + pmu_open_on(&r.pmu, 22), 3 + 3,
		"with an event for each thread, beside the counters");
	RUN(&r, 22, 5);
	wait_refreshes(&r, 1);
	tap_ok(!sleeps(&r, 20), "the last of its threads wakes it");
	wait_refreshes(&r, 4 * SLEEPING_AFTER);
	tap_ok(sleeps(&r, 20), "it falls asleep again");
	RUN(&r, 21, 1);
	world_start_thread(&r.world, 20, 23, 21);
	RUN(&r, 23, 9);
	wait_refreshes(&r, 1);
	tap_ok(!sleeps(&r, 20), "a new thread is seen, since its creator has run");
	rig_end(&r, "threads");

	begin_threads(&r, SLEEPING_THREADS + 1);
	wait_refreshes(&r, (SLEEPING_THREADS + 2) * SLEEPING_AFTER);
	tap_ok(!sleeps(&r, 20), "a process of many threads does not sleep");
	rig_end(&r, "many threads");

	begin_threads(&r, 4);
	wait_refreshes(&r, 4 * SLEEPING_AFTER - 2);
	r.pmu.task[3].denied = true;
	wait_refreshes(&r, 10);
	tap_ok(!sleeps(&r, 20), "nor one with a thread that the user may not count");
	rig_end(&r, "a thread that is denied");
}

static void test_on_cpu(void)
{
	struct rig r;

	begin(&r, 2);
	while (!sleeps(&r, 20))
		wait_refreshes(&r, 1);
	/* It was on a CPU when the event was opened, and its clock lagged. */
	r.pmu.script.stays = true;
	RUN(&r, 20, 5);
	rig_next(&r);
	r.pmu.script.stays = false;
	tap_int((int)rig_row(&r, 20)->cpu_ns.number, 5 * RIG_STEP_NS,
		"a process that stays on its CPU is seen");
	wait_refreshes(&r, LONG);
	tap_ok(sleeps(&r, 20), "and may sleep later");
	rig_end(&r, "on a CPU");
}

/* The page of a process is not updated, for an unknown reason. */
static void test_checked(void)
{
	struct rig r;
	int n = 0;

	begin(&r, 2);
	wait_refreshes(&r, LONG);
	r.pmu.script.stays = true;
	RUN(&r, 20, 5);
	while (process_of(&r, 20)->sched_in.page && n++ < SLEEPING_CHECKS)
		rig_next(&r);
	r.pmu.script.stays = false;
	tap_ok(n < SLEEPING_CHECKS, "CPU time that the page does not tell is found");
	tap_int((int)process_of(&r, 20)->clock_ns, 5 * RIG_STEP_NS, "and counted");
	tap_ok(r.wrong[0], "but late");
	r.wrong[0] = '\0';
	wait_refreshes(&r, LONG);
	tap_ok(!sleeps(&r, 20), "the process does not sleep again");
	rig_end(&r, "checked");
}

static void test_unproven(void)
{
	struct rig r;

	begin(&r, 3);
	for (int i = 0; i < LONG; i++)
		rig_next(&r);
	tap_ok(!sleeps(&r, 20), "nothing sleeps if tiptop's own page is never updated");
	rig_end(&r, "unproven");
	begin(&r, 3);
	r.pmu.script.no_map = EPERM;
	wait_refreshes(&r, LONG);
	tap_ok(!sleeps(&r, 20), "nor if no page can be mapped");
	tap_int(r.pmu.calls.map, 1, "which is tried once");
	rig_end(&r, "no page");
}

static void test_limits(void)
{
	struct rig r;

	begin(&r, 6);
	while (!r.pmu.calls.map) /* that of tiptop */
		wait_refreshes(&r, 1);
	r.pmu.script.no_map = ENOMEM;
	wait_refreshes(&r, 5);
	tap_int(r.pmu.calls.map, 2, "after a failure, no further page is tried");
	rig_end(&r, "no further page");

	rig_begin_tasks(&r, 6);
	map_pages(&r);
	rig_limit(&r, 14);
	rig_configure(&r, &(struct rig_want)RIG_WANT(1, .facts = ALL_FACTS));
	wait_refreshes(&r, LONG);
	tap_ok(!sleeps(&r, 20), "half of the descriptors are left to counters");
	rig_end(&r, "descriptors");

	begin(&r, 2);
	while (!sleeps(&r, 20))
		wait_refreshes(&r, 1);
	r.pmu.task[1].denied = true;
	RUN(&r, 20, 1);
	wait_refreshes(&r, 1);
	wait_refreshes(&r, LONG);
	tap_ok(!sleeps(&r, 20), "a process that the user may not count does not sleep");
	tap_ok(process_of(&r, 20)->sleepless, "which is tried once");
	rig_end(&r, "denied");
}

int main(void)
{
	test_asleep();
	test_end();
	test_filter();
	test_threads();
	test_on_cpu();
	test_checked();
	test_unproven();
	test_limits();
	return tap_done();
}
