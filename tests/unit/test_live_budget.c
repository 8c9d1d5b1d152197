/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The live source when file descriptors are few: what is said, who waits, who gets them.
 */
#include <sys/resource.h>

#include "live_rig.h"
#include "tap.h"

#define RUN(r, tid, steps) world_run(&(r)->world, tid, (steps)*RIG_STEP_NS)

/* alpha (10) has one thread, beta (20) three. */
static void begin(struct rig *r)
{
	rig_init(r);
	world_start(&r->world, 10, "alpha");
	world_start(&r->world, 20, "beta");
	world_start_thread(&r->world, 20, 21, 20);
	world_start_thread(&r->world, 20, 22, 20);
	world_wait(&r->world, 10000000000);
}

static void end(struct rig *r, const char *what)
{
	rig_done(r);
	tap_str(r->wrong, "", "%s: no number is wrong", what);
	tap_int(r->pmu.n_open, 0, "%s: no descriptor is left open", what);
	tap_int(r->pmu.bad_calls, 0, "%s: every call made sense", what);
}

/* Tasks for which there is no descriptor are said, and counted later when there is room. */
static void test_no_descriptors(bool threads)
{
	static struct rig r;
	const char *what = threads ? "few descriptors, threads" : "few descriptors";

	begin(&r);
	/* Two for the events on oneself, two for one group. */
	r.pmu.script.max_fds = 4;
	rig_configure(&r, &(struct rig_want){.n_events = 2, .threads = threads, .filter = FILTER_ALL});
	rig_next(&r);
	tap_ok(r.source->ops->note(r.source), "%s: noted", what);
	RUN(&r, 10, 1);
	RUN(&r, 20, 1);
	rig_next(&r);
	tap_ok(r.source->ops->note(r.source), "%s: noted as long as it lasts", what);
	rig_next(&r);
	tap_ok(r.source->ops->note(r.source), "%s: whether they run or not", what);
	r.pmu.script.max_fds = 0;
	RUN(&r, 10, 1);
	RUN(&r, 20, 1);
	RUN(&r, 21, 1);
	rig_next(&r);
	tap_str(rig_increment(&r, 10, 0), "fresh", "%s: the first reading gives no increment", what);
	RUN(&r, 10, 2);
	RUN(&r, 20, 2);
	RUN(&r, 21, 2);
	rig_next(&r);
	tap_str(rig_increment(&r, 10, 0), "exact 80000", "%s: all are counted when there is room", what);
	/* A process that found descriptors for some of its threads only keeps those: its sum stays partial. */
	tap_str(rig_increment(&r, threads ? 21 : 20, 0), threads ? "exact 80000" : "partial 80000", "%s: threads too",
		what);
	end(&r, what);
}

/* The same by the budget, which the limit of the process sets: 64 are reserved, and one an event on oneself. */
static void test_budget(void)
{
	static struct rig r;
	struct rlimit old, low;

	getrlimit(RLIMIT_NOFILE, &old);
	low = (struct rlimit){64 + 2 + 5, old.rlim_max};
	setrlimit(RLIMIT_NOFILE, &low);
	begin(&r);
	rig_configure(&r, &(struct rig_want)RIG_WANT(2));
	rig_next(&r);
	tap_int(r.pmu.n_open, 2 + 4, "no more is opened than the limit allows");
	for (int i = 0; i < 3; i++) {
		RUN(&r, 10, 1);
		RUN(&r, 20, 1);
		rig_next(&r);
		tap_ok(r.source->ops->note(r.source),
		       "what is not counted for lack of descriptors is noted, refresh %d", i);
	}
	end(&r, "the budget");
	setrlimit(RLIMIT_NOFILE, &old);
}

/* Where descriptors run out, those of idle tasks are closed, and opened again when they run. */
static void test_collect(void)
{
	static struct rig r;
	struct rlimit old, low;

	getrlimit(RLIMIT_NOFILE, &old);
	low = (struct rlimit){64 + 2, old.rlim_max};
	setrlimit(RLIMIT_NOFILE, &low);
	rig_init(&r);
	for (int pid = 10; pid <= 40; pid += 10)
		world_start(&r.world, pid, "task");
	rig_configure(&r, &(struct rig_want){.n_events = 1, .facts = ALL_FACTS, .collect = true, .filter = FILTER_ALL});
	rig_next(&r);
	for (int i = 0; i < 3; i++) {
		for (int pid = 10; pid <= 40; pid += 10) {
			int steps = 1;

			for (int k = 0; k < 3; k++, steps++) {
				RUN(&r, pid, steps);
				rig_next(&r);
			}
			tap_str(rig_increment(&r, pid, 0), "exact 120000", "task %d is counted while it runs, round %d",
				pid, i);
			tap_num(rig_row(&r, pid)->cpu_ns.number, 120000, "and its time");
		}
	}
	tap_ok(r.pmu.most_open <= 1 + 2, "all with few descriptors");
	/* One whose counters are closed ends. */
	RUN(&r, 10, 5);
	world_reap(&r.world, 10);
	rig_next(&r);
	tap_ok(rig_task(&r, 10) && rig_task(&r, 10)->dead, "the end of one whose counters are closed is seen");
	end(&r, "collect");
	setrlimit(RLIMIT_NOFILE, &old);
}

/* The counters of a zombie cannot be opened again. */
static void test_collect_zombie(void)
{
	static struct rig r;
	struct rlimit old, low;

	getrlimit(RLIMIT_NOFILE, &old);
	low = (struct rlimit){64 + 1, old.rlim_max};
	setrlimit(RLIMIT_NOFILE, &low);
	rig_init(&r);
	world_start(&r.world, 10, "task");
	world_start(&r.world, 20, "task");
	rig_configure(&r, &(struct rig_want){.n_events = 1, .collect = true, .filter = FILTER_ALL});
	for (int i = 0; i < 6; i++) {
		RUN(&r, i < 3 ? 10 : 20, 1);
		rig_next(&r);
	}
	RUN(&r, 10, 2);
	world_exit(&r.world, 10);
	rig_next(&r);
	tap_ok(!value_known(rig_row(&r, 10)->increment[0]), "a zombie whose counters were closed has no number, not 0");
	end(&r, "collect, a zombie");
	setrlimit(RLIMIT_NOFILE, &old);
}

int main(void)
{
	test_no_descriptors(false);
	test_no_descriptors(true);
	test_budget();
	test_collect();
	test_collect_zombie();
	return tap_done();
}
