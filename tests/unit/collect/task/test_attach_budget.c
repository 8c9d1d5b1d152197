/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The live source with few file descriptors: its note, which tasks get counters, and which have to
 * wait.
 */
#include "collect/task/attach.h"
#include "live_rig.h"
#include "model/fact_list.h"
#include <string.h>

/* Tasks without descriptors are mentioned in the note, and counted once descriptors are
 * available. */
static void test_no_descriptors(bool threads)
{
	static struct rig r;
	const char *what = threads ? "few descriptors, threads" : "few descriptors";

	rig_begin(&r);
	/* Two for the events on tiptop itself, two for the group of alpha. */
	r.pmu.script.max_fds = 4;
	rig_configure(&r, &(struct rig_want)RIG_WANT(2, .threads = threads));
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
	tap_str(rig_increment(&r, 10, 0), "exact 40000", "%s: who has descriptors is counted",
		what);
	tap_str(rig_increment(&r, 20, 0), "fresh", "%s: the first reading gives no increment",
		what);
	RUN(&r, 10, 2);
	RUN(&r, 20, 2);
	RUN(&r, 21, 2);
	rig_next(&r);
	tap_str(rig_increment(&r, 10, 0), "exact 80000", "%s: all are counted when there is room",
		what);
	tap_str(rig_increment(&r, threads ? 21 : 20, 0), threads ? "exact 80000" : "exact 160000",
		"%s: threads too", what);
	rig_end(&r, what);
}

/* A process that got descriptors for some of its threads does not open more later: its sum stays
 * partial. */
static void test_some_descriptors(void)
{
	static struct rig r;

	rig_begin(&r);
	r.pmu.script.max_fds = 6;
	rig_configure(&r, &(struct rig_want)RIG_WANT(2));
	rig_next(&r);
	r.pmu.script.max_fds = 0;
	for (int i = 0; i < 2; i++) {
		RUN(&r, 20, 2);
		RUN(&r, 21, 2);
		rig_next(&r);
		tap_str(rig_increment(&r, 20, 0), "partial 80000",
			"a sum over some threads is partial, refresh %d", i);
	}
	rig_end(&r, "some descriptors");
}

/* The note counts processes or threads, depending on the rows, in the singular or plural. */
static void test_note(void)
{
	static struct rig r;
	const char *note;

	for (int threads = 0; threads < 2; threads++) {
		rig_begin(&r);
		/* One for the event on tiptop itself, one for alpha. */
		r.pmu.script.max_fds = 2;
		rig_configure(&r, &(struct rig_want)RIG_WANT(1, .threads = threads));
		for (int i = 0; i < 2; i++) {
			RUN(&r, 10, 1);
			RUN(&r, 20, 1);
			rig_next(&r);
		}
		note = r.source->ops->note(r.source);
		tap_ok(note && strstr(note, threads ? "3 threads have no" : "1 process has no"),
		       "who has no counters");
		tap_ok(note && strstr(note, "(1 needed for each thread, 1 of "),
		       "how many are used");
		if (!note || !strstr(note, "for each thread"))
			tap_show("note", note ? note : "none");
		rig_end(&r, "the note");
	}
}

/* Few descriptors are reserved for other uses, so that counting works with a limit of 40. */
static void test_low_limit(void)
{
	static struct rig r;
	long reserve = attach_reserve();

	tap_ok(reserve >= 16 && reserve < 36, "few are reserved: %ld", reserve);
	rig_begin(&r);
	rig_limit(&r, 40 - reserve);
	rig_configure(&r, &(struct rig_want)RIG_WANT(1));
	rig_next(&r);
	for (int i = 0; i < 2; i++) {
		RUN(&r, 10, 1);
		rig_next(&r);
	}
	tap_str(rig_increment(&r, 10, 0), "exact 40000", "a limit of 40 descriptors counts");
	rig_end(&r, "a low limit");
}

/* The budget for counters is the limit of the process, less a reserve and one for each event on
 * tiptop itself. */
static void test_budget(void)
{
	static struct rig r;

	rig_begin(&r);
	rig_limit(&r, 2 + 5);
	rig_configure(&r, &(struct rig_want)RIG_WANT(2));
	rig_next(&r);
	tap_int(r.pmu.n_open, 2,
		"where descriptors are short, nothing is opened for who does not run");
	for (int i = 0; i < 3; i++) {
		RUN(&r, 10, 1);
		RUN(&r, 20, 1);
		rig_next(&r);
		tap_int(r.pmu.n_open, 2 + 4, "no more is opened than the limit allows, refresh %d",
			i);
		tap_ok(r.source->ops->note(r.source),
		       "what is not counted for lack of descriptors is noted, refresh %d", i);
	}
	rig_end(&r, "the budget");
}

/* If descriptors run out, the counters of idle tasks are closed, and reopened when the tasks
 * run. */
static void test_collect(void)
{
	static struct rig r;

	rig_begin_tasks(&r, 4);
	rig_limit(&r, 2);
	rig_configure(&r, &(struct rig_want)RIG_WANT(1, .facts = ALL_FACTS, .collect = true));
	rig_next(&r);
	for (int i = 0; i < 3; i++) {
		for (int pid = 10; pid <= 40; pid += 10) {
			int steps = 1;

			for (int k = 0; k < 3; k++, steps++) {
				RUN(&r, pid, steps);
				rig_next(&r);
			}
			tap_str(rig_increment(&r, pid, 0), "exact 120000",
				"task %d is counted while it runs, round %d", pid, i);
			tap_num(rig_row(&r, pid)->cpu_ns.number, 120000, "and its time");
		}
	}
	tap_ok(r.pmu.most_open <= 1 + 2, "all with few descriptors");
	/* A task whose counters are closed exits. */
	RUN(&r, 10, 5);
	world_reap(&r.world, 10);
	rig_next(&r);
	tap_ok(rig_task(&r, 10) && rig_task(&r, 10)->dead,
	       "the end of one whose counters are closed is seen");
	rig_end(&r, "collect");
}

static const char *total_of(struct rig *r, int pid)
{
	return rig_value(rig_row(r, pid)->total[0]);
}

/* The total of a task whose counters were closed while it was idle continues when they are
 * reopened. */
static void test_collect_total(void)
{
	static struct rig r;

	rig_begin_tasks(&r, 2);
	rig_limit(&r, 1 + 1);
	rig_configure(&r, &(struct rig_want)RIG_WANT(1, .collect = true));
	rig_next(&r);
	RUN(&r, 10, 1);
	rig_next(&r);
	RUN(&r, 10, 3);
	rig_next(&r);
	tap_str(total_of(&r, 10), "exact 120000", "a total since the counters were opened");
	for (int i = 0; i < 2; i++) {
		RUN(&r, 20, 1);
		rig_next(&r);
	}
	tap_int(pmu_open_on(&r.pmu, 10), 0, "its counters are closed");
	tap_str(total_of(&r, 10), "exact 120000",
		"which changes nothing as long as it does not run");
	/* Long enough that, with open counters, the kernel would be found to have closed them. */
	RUN(&r, 10, 100);
	rig_next(&r);
	tap_str(rig_increment(&r, 10, 0), "fresh",
		"when it runs again, that interval has no number");
	tap_str(total_of(&r, 10), "partial 120000", "and the total is a lower bound");
	RUN(&r, 10, 2);
	rig_next(&r);
	tap_str(rig_increment(&r, 10, 0), "exact 80000", "the next one is complete");
	tap_str(total_of(&r, 10), "partial 200000", "and the total goes on");
	rig_end(&r, "collect, totals");
}

/* Three tasks that start to run at once get the descriptors of three idle ones. */
static void test_on_demand(void)
{
	static struct rig r;

	rig_begin_tasks(&r, 6);
	rig_limit(&r, 1 + 3);
	rig_configure(&r, &(struct rig_want)RIG_WANT(1, .collect = true));
	rig_next(&r);
	for (int i = 0; i < 8; i++) {
		int first = i / 2 % 2 ? 40 : 10;

		for (int pid = first; pid < first + 30; pid += 10)
			RUN(&r, pid, 1);
		rig_next(&r);
		for (int pid = first; pid < first + 30; pid += 10)
			tap_str(rig_increment(&r, pid, 0), i % 2 ? "exact 40000" : "fresh",
				"three of six run at a time: %d in refresh %d", pid, i);
	}
	rig_end(&r, "on demand");
}

/* A process of several threads gives up all of its counters while it is idle, and gets them
 * back. */
static void test_collect_threads(bool inherit)
{
	const char *what = inherit ? "several groups" : "several groups, each of one thread";
	static struct rig r;

	rig_begin(&r);
	rig_limit(&r, 1 + 3);
	r.pmu.script.refuse_inherit_thread = !inherit;
	rig_configure(&r, &(struct rig_want)RIG_WANT(1, .collect = true));
	rig_next(&r);
	for (int i = 0; i < 3; i++) {
		for (int k = 0; k < 3; k++) {
			for (int tid = 20; tid <= 22; tid++)
				RUN(&r, tid, 1);
			rig_next(&r);
		}
		tap_str(rig_increment(&r, 20, 0), "exact 120000",
			"%s: all threads are counted, round %d", what, i);
		for (int k = 0; k < 3; k++) {
			RUN(&r, 10, 1);
			rig_next(&r);
		}
		tap_str(rig_increment(&r, 10, 0), "exact 40000",
			"%s: another has them meanwhile, round %d", what, i);
		tap_ok(r.pmu.n_open <= 1 + 3, "%s: which are not more than there are", what);
	}
	tap_str(total_of(&r, 20), "partial 720000",
		"%s: the total is that of all rounds, but for what was missed", what);
	rig_end(&r, what);
}

/* A thread exits while other tasks use its descriptors: its last counts are unknown. */
static void test_end_closed(void)
{
	static struct rig r;

	rig_begin(&r);
	rig_limit(&r, 1 + 3);
	world_start_thread(&r.world, 10, 11, 10);
	world_start_thread(&r.world, 10, 12, 10);
	rig_configure(&r, &(struct rig_want)RIG_WANT(1, .collect = true, .threads = true));
	rig_next(&r);
	for (int i = 0; i < 6; i++) {
		int pid = i < 3 ? 10 : 20;

		for (int tid = pid; tid < pid + 3; tid++)
			RUN(&r, tid, 1);
		rig_next(&r);
	}
	tap_int(pmu_open_on(&r.pmu, 11), 0, "others have its descriptors");
	RUN(&r, 11, 5);
	world_exit(&r.world, 11);
	rig_next(&r);
	tap_ok(rig_task(&r, 11) && rig_task(&r, 11)->dead, "a thread ends");
	tap_str(rig_increment(&r, 11, 0), "fresh", "what it counted last is not known");
	tap_str(total_of(&r, 11), "partial 80000", "and its total is a part");
	rig_end(&r, "an end without counters");
}

/* The descriptors of a zombie are used in the same refresh, even by a task that is read before
 * it. */
static void test_zombie_gives(bool collect)
{
	static struct rig r;

	rig_begin_tasks(&r, 2);
	rig_limit(&r, 1 + 1);
	rig_configure(&r, &(struct rig_want)RIG_WANT(1, .collect = collect));
	rig_next(&r);
	RUN(&r, 20, 1);
	rig_next(&r);
	tap_int(rig_task(&r, 20)->counting, COUNT_OK, "one has the only descriptor");
	RUN(&r, 10, 9);
	RUN(&r, 20, 1);
	world_exit(&r.world, 20);
	rig_next(&r);
	tap_str(rig_increment(&r, 20, 0), "exact 40000", "it ends, counted");
	tap_int(rig_task(&r, 10)->counting, COUNT_OK, "and another one has the descriptor at once");
	rig_end(&r, collect ? "a zombie" : "a zombie, no collect");
}

/* The counters of a zombie cannot be reopened: its last increment is unknown. */
static void test_collect_zombie(void)
{
	static struct rig r;

	rig_begin_tasks(&r, 2);
	rig_limit(&r, 1 + 1);
	rig_configure(&r, &(struct rig_want)RIG_WANT(1, .collect = true));
	for (int i = 0; i < 6; i++) {
		RUN(&r, i < 3 ? 10 : 20, 1);
		rig_next(&r);
	}
	RUN(&r, 10, 2);
	world_exit(&r.world, 10);
	rig_next(&r);
	tap_ok(!value_known(rig_row(&r, 10)->increment[0]),
	       "a zombie whose counters were closed has no number, not 0");
	rig_end(&r, "collect, a zombie");
}

/* If descriptors are short, a new task gets counters only once it runs. */
static void test_waiting(bool threads)
{
	const char *what = threads ? "waiting threads" : "waiting";
	struct rig_want want = RIG_WANT(1, .facts = ALL_FACTS, .threads = threads);
	static struct rig r;

	rig_begin(&r);
	/* Enough for all four counters, but not for twice as many. */
	rig_limit(&r, 1 + 5);
	rig_configure(&r, &want);
	rig_next(&r);
	rig_next(&r);
	tap_int(r.pmu.n_open, 1, "%s: who has not run has no counters", what);
	tap_int(rig_task(&r, 20)->counting, COUNT_IDLE, "%s: which is said", what);
	tap_str(rig_increment(&r, 20, 0), "exact 0", "%s: and is known to have done nothing", what);
	RUN(&r, 20, 1);
	RUN(&r, 21, 2);
	world_start(&r.world, 30, "newcomer");
	RUN(&r, 30, 1);
	rig_next(&r);
	tap_int(r.pmu.n_open, 1 + 4, "%s: who has run gets them, and so does a newcomer", what);
	tap_str(rig_increment(&r, 20, 0), "fresh", "%s: what it did before is not known", what);
	tap_num(rig_row(&r, 20)->cpu_ns.number, threads ? 40000 : 120000, "%s: but the time", what);
	tap_str(rig_value(delta_fact(rig_row(&r, threads ? 21 : 20), FACT_VCSW)),
		threads ? "exact 800" : "exact 1200", "%s: and the facts", what);
	RUN(&r, 20, 3);
	RUN(&r, 21, 1);
	RUN(&r, 30, 1);
	rig_next(&r);
	tap_str(rig_increment(&r, 20, 0), threads ? "exact 120000" : "exact 160000",
		"%s: from then on, all is", what);
	tap_str(rig_increment(&r, 30, 0), "exact 40000", "%s: of the newcomer, too", what);
	RUN(&r, 10, 9);
	world_reap(&r.world, 10);
	rig_next(&r);
	tap_str(rig_increment(&r, 10, 0), "gone",
		"%s: the end of one that waited is unknown, not 0", what);
	rig_end(&r, what);
}

/* The last descriptors go to the tasks that used the most CPU time. */
static void test_busiest_first(void)
{
	static struct rig r;

	rig_begin_tasks(&r, 5);
	rig_limit(&r, 1 + 2);
	rig_configure(&r, &(struct rig_want)RIG_WANT(1));
	rig_next(&r);
	for (int pid = 10; pid <= 50; pid += 10)
		RUN(&r, pid, pid == 30 ? 9 : pid == 50 ? 8 : 1);
	rig_next(&r);
	for (int pid = 10; pid <= 50; pid += 10)
		tap_int(rig_task(&r, pid)->counting,
			pid == 30 || pid == 50 ? COUNT_OK : COUNT_NOFILE,
			"the busiest get the last descriptors: %d", pid);
	rig_end(&r, "the busiest first");
}

/* The /proc files of a task that runs often are kept open. They are closed when counters of other
 * tasks need the descriptors. */
static void test_kept_files(void)
{
	static struct rig r;

	rig_begin_tasks(&r, 5);
	/* 2 are for the events on oneself; half of the others suffice for one task. */
	rig_limit(&r, 14);
	rig_configure(&r, &(struct rig_want)RIG_WANT(2, .facts = FACT_SET(FACT_MINFLT)));
	rig_next(&r);
	tap_int(r.world.calls.kept, 0, "no files are kept at the first reading");
	for (int i = 1; i <= 3; i++) {
		RUN(&r, 10, 1);
		rig_next(&r);
		tap_int(r.world.calls.kept, i, "those of a task that runs again are, refresh %d",
			i);
	}
	for (int i = 0; i < 12; i++)
		rig_next(&r);
	RUN(&r, 10, 1);
	rig_next(&r);
	tap_int(r.world.calls.kept, 3, "until it has not run for some refreshes");
	RUN(&r, 10, 1);
	rig_next(&r);
	tap_int(r.world.calls.kept, 4, "and again when it runs often");
	for (int pid = 10; pid <= 50; pid += 10)
		RUN(&r, pid, 1);
	rig_next(&r);
	for (int pid = 10; pid <= 50; pid += 10)
		tap_int(rig_task(&r, pid)->counting, COUNT_OK,
			"the descriptors of files serve the counters of task %d", pid);
	r.world.calls.kept = 0;
	for (int pid = 10; pid <= 50; pid += 10)
		RUN(&r, pid, 1);
	rig_next(&r);
	tap_int(r.world.calls.kept, 0, "no files are kept where counters need the descriptors");
	rig_end(&r, "kept files");
}

int main(void)
{
	test_kept_files();
	test_no_descriptors(false);
	test_no_descriptors(true);
	test_some_descriptors();
	test_waiting(false);
	test_waiting(true);
	test_busiest_first();
	test_note();
	test_low_limit();
	test_budget();
	test_collect();
	test_collect_total();
	test_on_demand();
	test_collect_threads(true);
	test_collect_threads(false);
	test_end_closed();
	test_zombie_gives(true);
	test_zombie_gives(false);
	test_collect_zombie();
	return tap_done();
}
