/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The live source: finding new tasks, filtering them, and reading their names and owners again.
 */
#include <errno.h>
#include <string.h>

#include "live_rig.h"
#include "model/fact_list.h"

/* New processes are found by trying the pids above the last known one. If pids have wrapped around,
 * or too many were assigned, /proc is listed instead. */
static void test_newcomers(void)
{
	struct world_calls before;
	static struct rig r;

	rig_begin(&r);
	rig_configure(&r, &(struct rig_want)RIG_WANT(1));
	rig_next(&r);
	before = r.world.calls;
	world_start_thread(&r.world, 20, 23, 20);
	world_start(&r.world, 25, "gamma");
	rig_next(&r);
	tap_ok(rig_task(&r, 25), "a newcomer with a number a little above the last one");
	tap_int(r.world.calls.pids - before.pids, 0, "is found without a list");
	tap_int(r.world.calls.cpu_clock - before.cpu_clock, 3 + 3 + 1 + 1,
		"by the clocks of three numbers; its own is read again behind its counters");
	world_start(&r.world, 5, "delta");
	rig_next(&r);
	tap_ok(rig_task(&r, 5), "one with a number below");
	world_start(&r.world, 30000, "epsilon");
	rig_next(&r);
	tap_ok(rig_task(&r, 30000), "one far above");
	tap_int(r.world.calls.pids - before.pids, 2, "are found by a list");
	/* This process starts without changing the newest pid. */
	world_start(&r.world, 40, "zeta");
	r.world.last_pid = 30000;
	for (int i = 0; i < 10; i++)
		rig_next(&r);
	tap_ok(rig_task(&r, 40), "who came unseen is found by the check");
	rig_end(&r, "newcomers");
}

/* The newest pid changes before its process can be read. */
static void test_found_late(void)
{
	struct world_calls before;
	static struct rig r;

	rig_begin(&r);
	rig_configure(&r, &(struct rig_want)RIG_WANT(1));
	rig_next(&r);
	before = r.world.calls;
	r.world.last_pid = 25;
	rig_next(&r);
	tap_ok(!rig_task(&r, 25), "a number that has no process yet");
	world_start(&r.world, 25, "gamma");
	rig_next(&r);
	tap_ok(rig_task(&r, 25), "is asked for again at the next look");
	tap_int(r.world.calls.pids - before.pids, 0, "without a list");
	rig_end(&r, "found late");
}

/* A pid was reused between two refreshes. The start time must show that before a walk assigns the
 * new process's name and owner to the old one. */
static void test_walked_again(void)
{
	static struct rig r;
	const struct task *t;

	rig_begin(&r);
	rig_configure(&r, &(struct rig_want)RIG_WANT(1));
	for (int i = 1; i < 10; i++) {
		RUN(&r, 10, 1);
		rig_next(&r);
	}
	/* At the tenth refresh, the walk reads process 10. */
	RUN(&r, 10, 2);
	world_reap(&r.world, 10);
	world_start(&r.world, 10, "alpha")->uid = 1000;
	r.world.last_pid = 22;
	rig_next(&r);
	t = rig_task(&r, 10);
	tap_ok(t && t->dead,
	       "a process with the same name and number: the old one has its last row");
	tap_str(t ? t->user : "", "root", "under its own user");
	tap_str(rig_increment(&r, 10, 0), "exact 80000", "with its own counts");
	rig_next(&r);
	t = rig_task(&r, 10);
	tap_ok(t && !t->dead, "then comes the new one");
	tap_str(t ? t->user : "", "someone", "under its own");
	rig_end(&r, "walked again");
}

/* Owner and command line of a running process may change: they are read again within ten
 * refreshes. */
static void test_described_again(void)
{
	static struct rig r;
	int n = 0;

	rig_begin(&r);
	world_task(&r.world, 10)->cmdline = "alpha";
	rig_configure(&r, &(struct rig_want){.cmdline = true, .filter = FILTER_ALL});
	rig_next(&r);
	world_task(&r.world, 10)->uid = 1000;
	world_task(&r.world, 10)->cmdline = "alpha: serving";
	RUN(&r, 10, 1);
	for (; n < 12 && rig_task(&r, 10)->uid != 1000; n++)
		rig_next(&r);
	tap_ok(n <= 10, "another owner is seen");
	tap_str(rig_task(&r, 10)->user, "someone", "by name");
	tap_str(rig_task(&r, 10)->cmdline, "alpha: serving", "and another command line");
	rig_end(&r, "described again");
}

/* The first sample reads the files of a process once, and only those of processes that pass the
 * filter; so does the first one of another generation. */
static void test_read_once(void)
{
	const struct rig_want want = {.facts = FACT_SET(FACT_VCSW, FACT_CGROUP),
				      .filter = {.text = "alpha", .uid = -1}};
	static struct rig r;

	rig_begin(&r);
	world_task(&r.world, 10)->cgroup = "/box";
	for (int generation = 1; generation <= 2; generation++) {
		r.world.calls = (struct world_calls){0};
		rig_configure(&r, &want);
		rig_next(&r);
		tap_int(r.world.calls.add_facts, 1, "generation %d: files of one process",
			generation);
		tap_int(r.world.calls.facts, 0, "generation %d: are read once", generation);
		tap_str(task_text(rig_task(&r, 10), FACT_CGROUP), "/box",
			"generation %d: its texts are known", generation);
		RUN(&r, 10, 2);
		rig_next(&r);
		tap_str(rig_value(delta_fact(rig_row(&r, 10), FACT_VCSW)), "exact 800",
			"generation %d: and so are numbers that only grow", generation);
	}
	world_start(&r.world, 30, "alpha too");
	r.world.calls = (struct world_calls){0};
	rig_next(&r);
	tap_int(r.world.calls.add_facts, 0, "a newcomer is not read by the walk");
	tap_int(r.world.calls.facts, 1, "but after it");
	rig_end(&r, "read once");
}

/* Facts that may change without the task running are read again once in ten refreshes, if
 * wanted. */
static void test_drifting(bool threads)
{
	struct world_calls before;
	static struct rig r;
	int stale = 0;

	rig_begin(&r);
	rig_configure(&r, &(struct rig_want){.facts = FACT_SET(FACT_NICE),
					     .threads = threads,
					     .filter = FILTER_ALL});
	rig_next(&r);
	before = r.world.calls;
	for (int i = 0; i < 10; i++) {
		rig_next(&r);
		stale += delta_fact(rig_row(&r, 10), FACT_NICE).quality == QUALITY_STALE;
	}
	tap_int(r.world.calls.facts - before.facts, threads ? 4 : 2,
		"all are read once in ten refreshes");
	tap_int(stale, 9, "in the others, they are marked as stale");
	rig_end(&r, "drifting facts");
}

/* The pid of a process that the filter excludes is reused by one that passes it, which is found
 * within ten refreshes. */
static void test_pid_reuse_unwanted(void)
{
	static struct rig r;

	rig_begin(&r);
	rig_configure(&r,
		      &(struct rig_want){.n_events = 1, .filter = {.text = "wanted", .uid = -1}});
	rig_next(&r);
	tap_int(rig_sample(&r)->n, 0, "no task passes the filter");
	world_reap(&r.world, 10);
	world_start(&r.world, 10, "wanted");
	RUN(&r, 10, 1);
	for (int i = 0; i < 10; i++)
		rig_next(&r);
	tap_ok(rig_task(&r, 10),
	       "who takes the pid of an unwanted process is found when it is its turn");
	rig_end(&r, "pid reuse among the unwanted");
}

static void test_filters(void)
{
	static struct rig r;

	rig_begin(&r);
	world_task(&r.world, 20)->uid = 1000;
	world_task(&r.world, 20)->cmdline = "/bin/beta --needle";
	rig_configure(&r, &(struct rig_want){.n_events = 1, .filter = {.uid = 1000}});
	rig_next(&r);
	tap_ok(!rig_task(&r, 10) && rig_task(&r, 20), "by user");
	tap_int(pmu_open_on(&r.pmu, 10), 0, "no other task is counted");
	rig_configure(&r, &(struct rig_want){.n_events = 1, .filter = {.pid = 10, .uid = -1}});
	rig_next(&r);
	tap_ok(rig_task(&r, 10) && !rig_task(&r, 20), "by pid");
	tap_int(pmu_open_on(&r.pmu, 20), 0, "the counters of those no longer wanted are closed");
	rig_configure(&r, &(struct rig_want){.n_events = 1, .filter = {.text = "alp", .uid = -1}});
	rig_next(&r);
	tap_ok(rig_task(&r, 10) && !rig_task(&r, 20), "by a part of the name");
	rig_configure(&r, &(struct rig_want){.n_events = 1,
					     .cmdline = true,
					     .filter = {.text = "needle", .uid = -1}});
	rig_next(&r);
	tap_ok(!rig_task(&r, 10) && rig_task(&r, 20), "by a part of the command line");
	tap_int(rig_sample(&r)->n_left_out, 1, "the processes that are left out are counted");
	world_reap(&r.world, 10);
	rig_configure(&r, &(struct rig_want)RIG_WANT(1));
	rig_next(&r);
	tap_int(rig_sample(&r)->n_left_out, 0, "but not one that has ended since");
	rig_end(&r, "filters");
}

/* A walk ends early for lack of memory. Known processes stay, the others are found by the next
 * walk. */
static void test_walk_cut_off(void)
{
	static struct rig r;
	const char *note;

	rig_begin(&r);
	rig_configure(&r, &(struct rig_want)RIG_WANT(1));
	r.world.walk_cut = 1;
	rig_next(&r);
	tap_ok(rig_task(&r, 10) && !rig_task(&r, 20), "who was found is shown");
	note = r.source->ops->note(r.source);
	tap_ok(note && strstr(note, "Cannot allocate memory"),
	       "and it is said that some may be missing");
	r.world.walk_cut = 0;
	rig_next(&r);
	tap_ok(rig_task(&r, 10) && rig_task(&r, 20), "the next walk finds all");
	tap_ok(!r.source->ops->note(r.source), "which is said no more");
	r.world.walk_cut = 1;
	rig_configure(&r, &(struct rig_want)RIG_WANT(2));
	rig_next(&r);
	tap_ok(rig_task(&r, 10) && rig_task(&r, 20) && !rig_task(&r, 20)->dead,
	       "who is known is not taken for ended");
	r.world.walk_cut = 0;
	RUN(&r, 20, 1);
	rig_next(&r);
	RUN(&r, 20, 1);
	rig_next(&r);
	tap_str(rig_increment(&r, 20, 0), "exact 40000", "and is counted on");
	rig_end(&r, "a walk cut off");
}

static void name_thread(struct rig *r, int tid, const char *name)
{
	snprintf(world_task(&r->world, tid)->name, sizeof r->world.task->name, "%s", name);
}

/* In rows of threads, a filter by name selects threads whose process has that name, and threads
 * that have it themselves. */
static void test_filter_threads(void)
{
	const struct filter bet = {.text = "bet", .uid = -1}, work = {.text = "work", .uid = -1};
	struct world_calls before;
	static struct rig r;

	rig_begin(&r);
	name_thread(&r, 21, "worker");
	rig_configure(&r, &(struct rig_want){.n_events = 1, .threads = true, .filter = bet});
	rig_next(&r);
	tap_ok(rig_task(&r, 20) && rig_task(&r, 21) && !rig_task(&r, 10),
	       "all threads of a process of that name");
	tap_str(rig_task(&r, 21)->name, "worker", "a thread has its own name");
	tap_str(rig_task(&r, 21)->process, "beta", "and that of its process");
	rig_configure(&r, &(struct rig_want){.n_events = 1, .threads = true, .filter = work});
	rig_next(&r);
	tap_ok(rig_task(&r, 21) && filter_match(&work, rig_task(&r, 21), false),
	       "a thread of that name");
	tap_ok(!filter_match(&work, rig_task(&r, 22), false), "and not the others of its process");
	tap_ok(!rig_task(&r, 10), "nor other processes");
	name_thread(&r, 21, "idler");
	RUN(&r, 21, 1);
	for (int i = 0; i < 11; i++)
		rig_next(&r);
	tap_ok(!rig_task(&r, 20), "who has lost the name goes");
	name_thread(&r, 22, "worker");
	RUN(&r, 22, 1);
	for (int i = 0; i < 11; i++)
		rig_next(&r);
	tap_ok(rig_task(&r, 22), "who has it now comes");
	world_exec(&r.world, 20, "gamma");
	RUN(&r, 20, 1);
	rig_next(&r);
	tap_str(rig_task(&r, 22)->process, "gamma",
		"a new name of the process is that of its threads, too");
	rig_configure(&r, &(struct rig_want){.n_events = 1, .filter = work});
	before = r.world.calls;
	rig_next(&r);
	tap_ok(!rig_task(&r, 20), "where processes are rows, names of threads are not searched");
	tap_int(r.world.calls.tids - before.tids, 0, "nor read");
	rig_end(&r, "filter and threads");
}

/* The newest pid cannot be read, so /proc is listed at each refresh. */
static void test_no_last_pid(void)
{
	static struct rig r;

	rig_begin(&r);
	r.plan = (struct fault_plan){
		.kind = "host", .fail_at = 1, .from_then_on = true, .error = EACCES};
	rig_configure(&r, &(struct rig_want)RIG_WANT(1));
	rig_next(&r);
	world_start(&r.world, 30, "gamma");
	rig_next(&r);
	tap_ok(rig_task(&r, 30),
	       "without the newest pid of the machine, newcomers are found all the same");
	rig_end(&r, "no last pid");
}

/* A filter is set and removed again before the next sample: the counters were closed and reopened
 * in between. */
static void test_filter_back(void)
{
	const struct filter no_task = {.text = "nobody", .uid = -1}, all = FILTER_ALL;
	static struct rig r;

	rig_begin(&r);
	rig_configure(&r, &(struct rig_want)RIG_WANT(1));
	rig_next(&r);
	RUN(&r, 10, 1);
	rig_next(&r);
	RUN(&r, 10, 2);
	tap_ok(!r.source->ops->filter(r.source, &no_task),
	       "a filter that leaves tasks out asks for no others");
	tap_int(pmu_open_on(&r.pmu, 10) + pmu_open_on(&r.pmu, 21), 0,
		"who is not wanted any more is not counted");
	tap_ok(r.source->ops->filter(r.source, &all), "one that lets them in again does");
	tap_ok(!r.source->ops->filter(r.source, &all), "the same one again does not");
	rig_next(&r);
	RUN(&r, 10, 3);
	rig_next(&r);
	tap_str(rig_increment(&r, 10, 0), "exact 120000", "who is wanted again is counted");
	r.source->ops->filter(r.source, &no_task);
	rig_next(&r);
	tap_int(rig_sample(&r)->n, 0, "no task");
	r.source->ops->filter(r.source, &all);
	rig_next(&r);
	tap_int(rig_sample(&r)->generation, 1, "a filter begins no generation");
	rig_end(&r, "the filter and back");
}

/* A zombie that was reported is reaped, and its pid reused, between two refreshes. */
static void test_zombie_reuse(void)
{
	static struct rig r;

	rig_begin(&r);
	rig_configure(&r, &(struct rig_want)RIG_WANT(1));
	world_start(&r.world, 30, "first");
	rig_next(&r);
	world_run(&r.world, 30, RIG_STEP_NS);
	world_exit(&r.world, 30);
	for (int i = 0; i < 3; i++)
		rig_next(&r);
	tap_ok(!rig_task(&r, 30), "a zombie is reported once");
	world_reap(&r.world, 30);
	world_start(&r.world, 30, "second");
	r.world.last_pid = 30;
	rig_next(&r);
	rig_next(&r);
	tap_ok(rig_task(&r, 30) && !rig_task(&r, 30)->dead,
	       "another process under its pid is found");
	rig_end(&r, "zombie");
}

int main(void)
{
	test_newcomers();
	test_found_late();
	test_walked_again();
	test_described_again();
	test_read_once();
	test_drifting(false);
	test_drifting(true);
	test_pid_reuse_unwanted();
	test_filters();
	test_filter_threads();
	test_no_last_pid();
	test_filter_back();
	test_zombie_reuse();
	test_walk_cut_off();
	return tap_done();
}
