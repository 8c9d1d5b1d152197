/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Ancestors of tasks that a filter excludes are included if parents are wanted, at no cost.
 */
#include "live_rig.h"
#include "model/fact_list.h"

#define BOB 1000

/* init (1) has sshd (5) and cron (6); sshd has bob's shell (40), which has a child (41). */
static void begin(struct rig *r, struct fact_set facts, bool threads)
{
	static const struct {
		int pid, parent;
		uint32_t uid;
	} task[] = {{1, 0, 0}, {5, 1, 0}, {6, 1, 0}, {40, 5, BOB}, {41, 40, BOB}};

	rig_init(r);
	for (size_t i = 0; i < sizeof task / sizeof *task; i++) {
		struct world_task *t = world_start(&r->world, task[i].pid, "x");

		t->parent = task[i].parent;
		t->uid = task[i].uid;
	}
	rig_configure(r, &(struct rig_want){.n_events = 1,
					    .facts = facts,
					    .threads = threads,
					    .filter = {.uid = BOB}});
	rig_next(r);
}

static long parent_of(const struct rig *r, int pid)
{
	const struct task *t = rig_task(r, pid);

	return t && fact_in(t->known, FACT_PPID) ? (long)task_fact(t, FACT_PPID) : -1;
}

static void test_chain(bool threads)
{
	struct world_calls before;
	static struct rig r;
	int n_open;

	begin(&r, FACT_NONE, threads);
	tap_int(rig_sample(&r)->n, 2, "where parents do not matter, two are there");
	tap_int(rig_sample(&r)->n_left_out, 3, "and three are left out");
	n_open = r.pmu.n_open;
	rig_done(&r);

	begin(&r, FACT_SET(FACT_PPID), threads);
	tap_int(rig_sample(&r)->n, 4, "else those above them are there, too");
	tap_ok(!rig_task(&r, 6), "but not others");
	tap_int(rig_sample(&r)->n_left_out, 1, "who are left out");
	tap_int(parent_of(&r, 41), 40, "the parent of a child");
	tap_int(parent_of(&r, 40), 5, "of its parent");
	tap_int(parent_of(&r, 5), 1, "of one that the filter leaves out");
	tap_int(parent_of(&r, 1), 0, "the first has none");
	tap_int(rig_task(&r, 5)->counting, COUNT_NONE, "it is not counted");
	tap_int(r.pmu.n_open, n_open, "and no counter is open for it");
	before = r.world.calls;
	RUN(&r, 5, 1);
	RUN(&r, 41, 1);
	rig_next(&r);
	tap_str(rig_increment(&r, 41, 0), "exact 40000", "children are counted");
	tap_int(rig_sample(&r)->n, 4, "all are there again");
	tap_int(r.world.calls.facts - before.facts <= 2, 1, "nothing is read of those above");
	tap_str(rig_increment(&r, 5, 0), "not-read", "what they did is not known");
	rig_end(&r, "ancestors");
}

/* Ancestors exit, or get another parent. Even a cycle of parents, which no kernel has, must end. */
static void test_changes(void)
{
	static struct rig r;

	begin(&r, FACT_SET(FACT_PPID), false);
	world_reap(&r.world, 5);
	world_task(&r.world, 40)->parent = 1;
	RUN(&r, 40, 1);
	for (int i = 0; i < 10; i++)
		rig_next(&r);
	tap_ok(!rig_task(&r, 5), "one that has gone is not there");
	tap_int(parent_of(&r, 40), 1, "its child has another parent");
	tap_ok(rig_task(&r, 1) != NULL, "which is there");
	world_task(&r.world, 1)->parent = 6;
	world_task(&r.world, 6)->parent = 1;
	RUN(&r, 1, 1);
	RUN(&r, 6, 1);
	for (int i = 0; i < 10; i++)
		rig_next(&r);
	tap_int(rig_sample(&r)->n, 4, "a circle ends");
	tap_int(rig_sample(&r)->n_left_out, 0, "and none is left out");
	rig_end(&r, "changes of ancestors");
}

int main(void)
{
	test_chain(false);
	test_chain(true);
	test_changes();
	return tap_done();
}
