/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Ended threads: only their counts and facts remain, in the totals of the process.
 */
#include <errno.h>

#include "live_rig.h"
#include "model/fact_list.h"

/* The counts of short-lived threads are in the total of the process, and no sample has rows of
 * ended threads. */
static void test_ended_threads(void)
{
	double total = 0;
	static struct rig r;

	rig_begin_beta(&r);
	r.pmu.script.refuse_inherit_thread = true;
	rig_configure(&r, &(struct rig_want)RIG_WANT(1));
	rig_next(&r);
	for (int i = 0; i < 20; i++) {
		world_start_thread(&r.world, 20, 30 + i, 20);
		RUN(&r, 20, 1);
		rig_next(&r);
		RUN(&r, 30 + i, 2);
		rig_next(&r);
		tap_str(rig_increment(&r, 20, 0), "exact 80000",
			"a thread that lives for a while is counted");
		total += 120000;
		tap_num(rig_row(&r, 20)->total[0].number, total, "it is in the total");
		world_exit(&r.world, 30 + i);
	}
	for (int i = 0; i < 2; i++) {
		RUN(&r, 20, 1);
		rig_next(&r);
	}
	tap_int((long)rig_sample(&r)->n, 2, "threads that have ended are in no sample");
	tap_num(rig_row(&r, 20)->total[0].number, total + 80000,
		"but in the total of their process");
	rig_next(&r);
	tap_num(rig_row(&r, 20)->total[0].number, total + 80000, "whether that runs or not");
	rig_end(&r, "ended threads");
}

/* A thread that could not be counted makes the total partial, also after it has ended. */
static void test_ended_uncounted(void)
{
	static struct rig r;

	rig_begin_beta(&r);
	r.pmu.script.refuse_inherit_thread = true;
	pmu_task(&r.pmu, 21)->denied = true;
	rig_configure(&r, &(struct rig_want)RIG_WANT(1));
	rig_next(&r);
	RUN(&r, 20, 1);
	RUN(&r, 21, 5);
	rig_next(&r);
	world_exit(&r.world, 21);
	for (int i = 0; i < 3; i++) {
		RUN(&r, 20, 1);
		rig_next(&r);
	}
	tap_str(rig_increment(&r, 20, 0), "exact 40000",
		"when a thread that was not counted has ended, all is");
	tap_str(rig_value(rig_row(&r, 20)->total[0]), "partial 160000",
		"but the total stays a part");
	rig_end(&r, "an ended thread that was not counted");
}

/* The last reading of a thread fails: the total of the process is partial from then on. */
static void test_ended_unread(void)
{
	static struct rig r;

	rig_begin_beta(&r);
	r.pmu.script.refuse_inherit_thread = true;
	rig_configure(&r, &(struct rig_want)RIG_WANT(1));
	rig_next(&r);
	RUN(&r, 21, 2);
	rig_next(&r);
	RUN(&r, 21, 3);
	RUN(&r, 20, 1);
	world_exit(&r.world, 21);
	/* The first read is of the leader's counters, the second of thread 21's. */
	r.plan = (struct fault_plan){.kind = "read", .fail_at = 2, .error = EIO};
	rig_next(&r);
	tap_str(rig_increment(&r, 20, 0), "partial 40000", "the end of a thread could not be read");
	for (int i = 0; i < 2; i++) {
		RUN(&r, 20, 1);
		rig_next(&r);
		tap_str(rig_value(rig_row(&r, 20)->total[0]),
			i ? "partial 200000" : "partial 160000", "the total stays a part");
	}
	rig_end(&r, "an ended thread that was not read");
}

/* A thread without counters may have started other threads, which are not counted either: all later
 * increments of the process are partial. */
static void test_hole(void)
{
	static struct rig r;

	rig_begin_beta(&r);
	/* One for the event on tiptop itself, one for the leader. */
	r.pmu.script.max_fds = 2;
	/* VCSW: a fact that is read thread by thread, so threads must be listed. */
	rig_configure(&r, &(struct rig_want)RIG_WANT(1, .facts = FACT_SET(FACT_VCSW)));
	rig_next(&r);
	world_start_thread(&r.world, 20, 30, 21);
	world_exit(&r.world, 21);
	for (int i = 0; i < 3; i++) {
		RUN(&r, 20, 1);
		RUN(&r, 30, 2);
		rig_next(&r);
		tap_str(rig_increment(&r, 20, 0), "partial 40000",
			"a thread of one that was not counted, refresh %d", i);
	}
	rig_end(&r, "a hole");
}

/* When the facts of thread 21 are read, it runs on and exits: its counters were read just
 * before. */
static void end_21(struct world *w, int tid)
{
	if (tid != 21 || !world_task(w, 21) || world_task(w, 21)->gone)
		return;
	world_run(w, 21, 3 * RIG_STEP_NS);
	world_exit(w, 21);
}

static void test_end_between(void)
{
	static struct rig r;
	const struct task *t;

	rig_begin_beta(&r);
	rig_configure(&r, &(struct rig_want)RIG_WANT(1, .facts = ALL_FACTS, .threads = true));
	rig_next(&r);
	RUN(&r, 21, 2);
	r.world.on_facts = end_21;
	rig_next(&r);
	t = rig_task(&r, 21);
	tap_ok(t && t->dead,
	       "a thread that ends between the reading of its counters and of its facts is dead");
	tap_str(rig_increment(&r, 21, 0), "exact 200000", "with all that it counted");
	tap_int(pmu_open_on(&r.pmu, -1), 0, "and its counters are closed");
	rig_next(&r);
	tap_ok(!rig_task(&r, 21), "then it is gone");
	rig_end(&r, "an end in between");
}

/* The fake kernel counts a voluntary context switch (VCSW) per 100 ns. */
#define SWITCHES(steps) ((double)(steps)*RIG_STEP_NS / 100)

/* Facts of ended threads remain in the total of the process. What they did after their last reading
 * is missing, so the total is partial. */
static void test_ended_facts(bool refuse)
{
	const char *how = refuse ? "a group a thread" : "groups that inherit";
	double total = 0, before = 0;
	const struct delta_row *row;
	static struct rig r;

	rig_begin_beta(&r);
	r.pmu.script.refuse_inherit_thread = refuse;
	rig_configure(&r, &(struct rig_want)RIG_WANT(1, .facts = ALL_FACTS));
	rig_next(&r);
	world_exit(&r.world, 21);
	for (int i = 0; i < 20; i++) {
		world_start_thread(&r.world, 20, 30 + i, 20);
		RUN(&r, 20, 1);
		rig_next(&r);
		RUN(&r, 30 + i, 2);
		rig_next(&r);
		total += SWITCHES(3);
		row = rig_row(&r, 20);
		tap_str(rig_value(delta_fact(row, FACT_VCSW)), "exact 800",
			"%s: a thread that lives for a while", how);
		tap_str(rig_value(delta_fact_rate(row, FACT_VCSW)), "exact 800", "%s: its rate",
			how);
		tap_ok(delta_fact_now(row, FACT_VCSW).number == total, "%s: it is in the total",
		       how);
		/* The last three steps of the thread are never read. */
		RUN(&r, 20, 1);
		RUN(&r, 30 + i, 3);
		world_exit(&r.world, 30 + i);
		rig_next(&r);
		total += SWITCHES(1);
		row = rig_row(&r, 20);
		tap_str(rig_value(delta_fact(row, FACT_VCSW)), "partial 400",
			"%s: the interval of its end", how);
		tap_str(rig_value(delta_fact_rate(row, FACT_VCSW)), "partial 400", "%s: its rate",
			how);
		for (int k = 0; k < 2; k++) {
			tap_int(delta_fact_now(row, FACT_VCSW).quality, QUALITY_PARTIAL,
				"%s: a part from now on", how);
			tap_num(delta_fact_now(row, FACT_VCSW).number, total,
				"%s: the total keeps it", how);
			tap_ok(delta_fact_now(row, FACT_WAIT_NS).number > before, "%s: none falls",
			       how);
			before = delta_fact_now(row, FACT_WAIT_NS).number - 1;
			rig_next(&r);
			row = rig_row(&r, 20);
			tap_str(rig_value(delta_fact(row, FACT_VCSW)), "exact 0", "%s: all idle",
				how);
		}
	}
	tap_int(row->n_members, refuse ? 1 : 2, "%s: none is left but the one that inherits", how);
	RUN(&r, 20, 1);
	rig_next(&r);
	tap_str(rig_value(delta_fact(rig_row(&r, 20), FACT_VCSW)), "exact 400", "%s: alone again",
		how);
	tap_str(rig_value(delta_fact(rig_row(&r, 20), FACT_MINFLT)), "exact 40",
		"%s: a fact of the process", how);
	rig_end(&r, how);
}

/* The id of an ended thread is reused by another thread, and that of the process by another
 * process. */
static void test_used_again(bool refuse)
{
	static struct rig r;
	const struct delta_row *row;

	rig_begin_beta(&r);
	r.pmu.script.refuse_inherit_thread = refuse;
	rig_configure(&r, &(struct rig_want){.facts = FACT_SET(FACT_VCSW), .filter = FILTER_ALL});
	RUN(&r, 21, 5);
	rig_next(&r);
	world_exit(&r.world, 21);
	world_start_thread(&r.world, 20, 21, 20);
	RUN(&r, 21, 2);
	rig_next(&r);
	row = rig_row(&r, 20);
	tap_str(rig_value(delta_fact(row, FACT_VCSW)), "partial 800",
		"a tid that is used again: the new thread");
	tap_str(rig_value(delta_fact_now(row, FACT_VCSW)), "partial 2800", "the total of both");
	RUN(&r, 21, 1);
	rig_next(&r);
	tap_str(rig_value(delta_fact(rig_row(&r, 20), FACT_VCSW)), "exact 400",
		"then it is one like others");
	world_reap(&r.world, 20);
	world_start(&r.world, 20, "other");
	RUN(&r, 20, 1);
	rig_next(&r);
	rig_next(&r);
	tap_str(rig_value(delta_fact_now(rig_row(&r, 20), FACT_VCSW)), "exact 400",
		"another process with that pid has nothing of it");
	rig_end(&r, "numbers that are used again");
}

/* A thread whose inherited counters still count its descendants has ended. Later, another thread
 * gets its id. */
static void test_holder_used_again(void)
{
	static struct rig r;

	rig_begin_beta(&r);
	rig_configure(&r, &(struct rig_want)RIG_WANT(1, .facts = FACT_SET(FACT_VCSW)));
	rig_next(&r);
	RUN(&r, 21, 5);
	rig_next(&r);
	world_exit(&r.world, 21);
	RUN(&r, 20, 1);
	rig_next(&r);
	world_start_thread(&r.world, 20, 21, 20);
	for (int i = 0; i < 3; i++) {
		RUN(&r, 21, 2);
		rig_next(&r);
	}
	tap_str(rig_value(delta_fact(rig_row(&r, 20), FACT_VCSW)), "exact 800",
		"the new thread is read");
	tap_str(rig_increment(&r, 20, 0), "exact 80000", "and counted");
	tap_ok(rig_row(&r, 20)->total[0].number >= 6 * 40000, "the total keeps what was counted");
	rig_end(&r, "the number of one whose group counts on");
}

/* The threads end before their process, which becomes a zombie or is reaped at once. */
static void test_end_of_all(bool zombie)
{
	static struct rig r;
	const struct delta_row *row;

	rig_begin_beta(&r);
	world_start_thread(&r.world, 20, 22, 20);
	rig_configure(&r, &(struct rig_want){.facts = FACT_SET(FACT_VCSW), .filter = FILTER_ALL});
	RUN(&r, 21, 5);
	RUN(&r, 22, 3);
	rig_next(&r);
	RUN(&r, 22, 1);
	world_exit(&r.world, 21);
	rig_next(&r);
	RUN(&r, 20, 1);
	world_exit(&r.world, 22);
	world_exit(&r.world, 20);
	if (!zombie)
		world_reap(&r.world, 20);
	rig_next(&r);
	row = rig_row(&r, 20);
	tap_ok(row && row->task->dead, "the process has ended");
	tap_str(rig_value(delta_fact(row, FACT_VCSW)), "partial 400",
		zombie ? "what its leader did"
		       : "what was read in the interval before, where a thread ended");
	tap_str(rig_value(delta_fact_now(row, FACT_VCSW)), zombie ? "partial 4000" : "partial 3600",
		"and all that was read of its threads");
	rig_end(&r, "an end of all");
}

/* In rows of threads, a row has only the facts of its own thread. */
static void test_thread_rows(void)
{
	static struct rig r;

	rig_begin_beta(&r);
	rig_configure(
		&r, &(struct rig_want){.facts = ALL_FACTS, .threads = true, .filter = FILTER_ALL});
	rig_next(&r);
	RUN(&r, 20, 1);
	RUN(&r, 21, 2);
	rig_next(&r);
	RUN(&r, 20, 1);
	world_exit(&r.world, 21);
	rig_next(&r);
	tap_str(rig_value(delta_fact(rig_row(&r, 20), FACT_VCSW)), "exact 400",
		"a row is its own thread");
	tap_str(rig_value(delta_fact(rig_row(&r, 21), FACT_VCSW)), "stale 800",
		"the ended one has its last");
	rig_next(&r);
	tap_str(rig_value(delta_fact_now(rig_row(&r, 20), FACT_VCSW)), "exact 800",
		"its total is its own, too");
	rig_end(&r, "rows of threads");
}

/* The CPU time of a thread cannot be read in one refresh; its other facts can. */
static void test_no_time(void)
{
	static struct rig r;

	rig_begin_beta(&r);
	rig_configure(&r, &(struct rig_want){.facts = FACT_SET(FACT_CPU_NS),
					     .threads = true,
					     .filter = FILTER_ALL});
	rig_next(&r);
	for (int i = 0; i < 3; i++) {
		RUN(&r, 21, 2);
		r.world.no_time = i == 1;
		rig_next(&r);
		tap_str(rig_value(delta_fact(rig_row(&r, 21), FACT_CPU_NS)),
			i ? "not-read" : "exact 80000",
			"the CPU time of a thread, where the second reading has none: %d", i);
	}
	rig_end(&r, "no time");
}

/* A thread ends while its facts are read, in a refresh in which it did not run: facts that may
 * change without that, as the nice value, are read in turn. */
static void test_end_idle(void)
{
	static struct rig r;
	const struct task *t = NULL;

	rig_begin_beta(&r);
	rig_configure(&r,
		      &(struct rig_want)RIG_WANT(1, .facts = FACT_SET(FACT_NICE), .threads = true));
	rig_next(&r);
	RUN(&r, 21, 2);
	rig_next(&r);
	r.world.on_facts = end_21;
	for (int i = 0; i < 10 && !(t && t->dead); i++) {
		rig_next(&r);
		t = rig_task(&r, 21);
	}
	tap_ok(t && t->dead, "a thread ends when its facts are asked for though it did not run");
	tap_str(rig_increment(&r, 21, 0), "exact 120000", "with all that it counted");
	rig_end(&r, "an end without a run");
}

/* execve(2) ends the other threads. New ones may start in the same interval. */
static void test_execution(void)
{
	static struct rig r;

	rig_begin_beta(&r);
	world_task(&r.world, 20)->cmdline = "beta -x";
	rig_configure(&r, &(struct rig_want)RIG_WANT(1, .threads = true, .cmdline = true));
	rig_next(&r);
	RUN(&r, 20, 1);
	RUN(&r, 21, 2);
	world_exit(&r.world, 21);
	world_exec(&r.world, 20, "gamma");
	world_task(&r.world, 20)->cmdline = "gamma -y";
	world_start_thread(&r.world, 20, 22, 20);
	rig_next(&r);
	tap_ok(rig_task(&r, 21) && rig_task(&r, 21)->dead, "another program ends a thread");
	tap_str(rig_task(&r, 21)->process, "beta", "whose last row has the old program");
	tap_str(rig_task(&r, 21)->cmdline, "beta -x", "and its command line");
	tap_str(rig_task(&r, 20)->process, "gamma", "the process has the new one");
	tap_str(rig_task(&r, 22)->process, "gamma", "so has a new thread");
	tap_str(rig_task(&r, 22)->cmdline, "gamma -y", "with its command line");
	rig_end(&r, "an execution");
}

/* A process may change its name and its command line, and its threads go on. */
static void test_new_name(void)
{
	static struct rig r;

	rig_begin_beta(&r);
	rig_configure(&r, &(struct rig_want)RIG_WANT(1, .threads = true, .cmdline = true));
	rig_next(&r);
	RUN(&r, 20, 1);
	snprintf(world_task(&r.world, 20)->name, sizeof world_task(&r.world, 20)->name, "delta");
	world_task(&r.world, 20)->cmdline = "delta";
	rig_next(&r);
	tap_str(rig_task(&r, 21)->process, "delta", "a living thread has the new name");
	tap_str(rig_task(&r, 21)->cmdline, "delta", "and the new command line");
	rig_end(&r, "a new name");
}

int main(void)
{
	for (int refuse = 0; refuse < 2; refuse++) {
		test_ended_facts(refuse);
		test_used_again(refuse);
		test_end_of_all(refuse);
	}
	test_holder_used_again();
	test_thread_rows();
	test_ended_threads();
	test_ended_uncounted();
	test_ended_unread();
	test_hole();
	test_end_between();
	test_no_time();
	test_end_idle();
	test_execution();
	test_new_name();
	return tap_done();
}
