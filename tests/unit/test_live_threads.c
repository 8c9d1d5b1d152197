/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Threads that end: what they have counted stays, and nothing else.
 */
#include <errno.h>

#include "live_rig.h"

static void begin(struct rig *r)
{
	rig_init(r);
	world_start(&r->world, 20, "beta");
	world_start_thread(&r->world, 20, 21, 20);
	world_wait(&r->world, 10000000000);
}

/* Threads that come and go leave nothing behind but what they counted. */
static void test_ended_threads(void)
{
	double total = 0;
	static struct rig r;

	begin(&r);
	r.pmu.script.refuse_inherit_thread = true;
	rig_configure(&r, &(struct rig_want)RIG_WANT(1));
	rig_next(&r);
	for (int i = 0; i < 20; i++) {
		world_start_thread(&r.world, 20, 30 + i, 20);
		RUN(&r, 20, 1);
		rig_next(&r);
		RUN(&r, 30 + i, 2);
		rig_next(&r);
		tap_str(rig_increment(&r, 20, 0), "exact 80000", "a thread that lives for a while is counted");
		total += 120000;
		tap_num(rig_row(&r, 20)->total[0].number, total, "it is in the total");
		world_exit(&r.world, 30 + i);
	}
	for (int i = 0; i < 2; i++) {
		RUN(&r, 20, 1);
		rig_next(&r);
	}
	tap_int((long)rig_sample(&r)->n, 2, "threads that have ended are in no sample");
	tap_num(rig_row(&r, 20)->total[0].number, total + 80000, "but in the total of their process");
	rig_next(&r);
	tap_num(rig_row(&r, 20)->total[0].number, total + 80000, "whether that runs or not");
	rig_end(&r, "ended threads");
}

/* A thread that could not be counted makes the total a part of the truth, also when it has ended. */
static void test_ended_uncounted(void)
{
	static struct rig r;

	begin(&r);
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
	tap_str(rig_increment(&r, 20, 0), "exact 40000", "when a thread that was not counted has ended, all is");
	tap_str(rig_value(rig_row(&r, 20)->total[0]), "partial 160000", "but the total stays a part");
	rig_end(&r, "an ended thread that was not counted");
}

/* The last reading of a thread fails: its share is a lower bound for good. */
static void test_ended_unread(void)
{
	static struct rig r;

	begin(&r);
	r.pmu.script.refuse_inherit_thread = true;
	rig_configure(&r, &(struct rig_want)RIG_WANT(1));
	rig_next(&r);
	RUN(&r, 21, 2);
	rig_next(&r);
	RUN(&r, 21, 3);
	RUN(&r, 20, 1);
	world_exit(&r.world, 21);
	/* The leader is read first. */
	r.plan = (struct fault_plan){.kind = "read", .fail_at = 2, .error = EIO};
	rig_next(&r);
	tap_str(rig_increment(&r, 20, 0), "partial 40000", "the end of a thread could not be read");
	for (int i = 0; i < 2; i++) {
		RUN(&r, 20, 1);
		rig_next(&r);
		tap_str(rig_value(rig_row(&r, 20)->total[0]), i ? "partial 200000" : "partial 160000",
			"the total stays a part");
	}
	rig_end(&r, "an ended thread that was not read");
}

/* A thread that had no counters may have started others, which nobody counts: the sum stays a part for good. */
static void test_hole(void)
{
	static struct rig r;

	begin(&r);
	/* One for the event on oneself, one for the leader. */
	r.pmu.script.max_fds = 2;
	/* VCSW: a fact for which threads have to be known one by one. */
	rig_configure(&r, &(struct rig_want){.n_events = 1, .facts = FACT_BIT(FACT_VCSW), .filter = FILTER_ALL});
	rig_next(&r);
	world_start_thread(&r.world, 20, 30, 21);
	world_exit(&r.world, 21);
	for (int i = 0; i < 3; i++) {
		RUN(&r, 20, 1);
		RUN(&r, 30, 2);
		rig_next(&r);
		tap_str(rig_increment(&r, 20, 0), "partial 40000", "a thread of one that was not counted, refresh %d",
			i);
	}
	rig_end(&r, "a hole");
}

/* Thread 21 runs on and ends when its facts are asked for: its counters have been read already. */
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

	begin(&r);
	rig_configure(&r, &(struct rig_want){.n_events = 1, .facts = ALL_FACTS, .threads = true, .filter = FILTER_ALL});
	rig_next(&r);
	RUN(&r, 21, 2);
	r.world.on_facts = end_21;
	rig_next(&r);
	t = rig_task(&r, 21);
	tap_ok(t && t->dead, "a thread that ends between the reading of its counters and of its facts is dead");
	tap_str(rig_increment(&r, 21, 0), "exact 200000", "with all that it counted");
	tap_int(pmu_open_on(&r.pmu, -1), 0, "and its counters are closed");
	rig_next(&r);
	tap_ok(!rig_task(&r, 21), "then it is gone");
	rig_end(&r, "an end in between");
}

int main(void)
{
	test_ended_threads();
	test_ended_uncounted();
	test_ended_unread();
	test_hole();
	test_end_between();
	return tap_done();
}
