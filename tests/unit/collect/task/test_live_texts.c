/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Facts that are texts: which tasks have them, when they are read again, and that unwanted ones are
 * not read.
 */
#include <string.h>

#include "live_rig.h"
#include "model/fact_list.h"

#define TEXTS FACT_CGROUP, FACT_CONTAINER, FACT_EXECUTABLE

static void begin(struct rig *r, struct fact_set facts, bool threads)
{
	struct world_task *alpha, *beta;

	rig_begin(r);
	alpha = world_task(&r->world, 10);
	alpha->cgroup = "/docker/1";
	alpha->container = "docker:1";
	alpha->executable = "/bin/alpha";
	alpha->session = 7;
	alpha->parent = 3;
	beta = world_task(&r->world, 20);
	beta->cgroup = "/";
	beta->container = "";
	rig_configure(r, &(struct rig_want)RIG_WANT(1, .facts = facts, .threads = threads));
	rig_next(r);
	RUN(r, 10, 1);
	RUN(r, 20, 1);
	rig_next(r);
}

static const char *text_of(const struct rig *r, int id, int fact)
{
	const char *text = task_text(rig_task(r, id), fact);

	return text ? text : "unknown";
}

static void test_texts(void)
{
	static struct rig r;

	begin(&r, FACT_SET(TEXTS, FACT_SESSION, FACT_PPID), false);
	tap_str(text_of(&r, 10, FACT_CGROUP), "/docker/1", "a control group");
	tap_str(text_of(&r, 10, FACT_CONTAINER), "docker:1", "a container");
	tap_str(text_of(&r, 10, FACT_EXECUTABLE), "/bin/alpha", "an executable");
	tap_str(text_of(&r, 20, FACT_CONTAINER), "", "that there is no container is known");
	tap_str(text_of(&r, 20, FACT_EXECUTABLE), "unknown", "what cannot be read is unknown");
	tap_str(text_of(&r, 10, FACT_USER), "root", "the user comes with every reading");
	tap_str(text_of(&r, 10, FACT_STATE), "S", "so does the state");
	tap_str(text_of(&r, 10, FACT_PROGRAM), "alpha", "so does the name of the program");
	tap_int((long)task_fact(rig_task(&r, 10), FACT_SESSION), 7, "the session is a number");
	tap_int((long)task_fact(rig_task(&r, 10), FACT_PPID), 3, "so is the parent");
	world_task(&r.world, 10)->state = '~';
	RUN(&r, 10, 1);
	rig_next(&r);
	tap_str(text_of(&r, 10, FACT_STATE), "unknown", "a state that no kernel has is unknown");
	world_reap(&r.world, 10);
	rig_next(&r);
	tap_str(text_of(&r, 10, FACT_STATE), "X", "that of a task that has gone is known");
	tap_str(text_of(&r, 10, FACT_CGROUP), "/docker/1", "what was read of it last stays");
	tap_int(delta_fact_now(rig_row(&r, 10), FACT_CGROUP).quality, QUALITY_STALE,
		"and is marked where it may have changed");
	tap_int(delta_fact_now(rig_row(&r, 10), FACT_EXECUTABLE).quality, QUALITY_EXACT,
		"but not what it took with it");
	rig_end(&r, "texts");
}

/* A reading that a sample has keeps its texts when those of the task change. */
static void test_change(void)
{
	const struct task *before;
	struct world_task *alpha;
	static struct rig r;

	begin(&r, FACT_SET(TEXTS), false);
	before = task_ref(rig_task(&r, 10));
	alpha = world_task(&r.world, 10);
	world_exec(&r.world, 10, "gamma");
	alpha->executable = "/bin/gamma, which is longer";
	RUN(&r, 10, 2);
	rig_next(&r);
	tap_str(text_of(&r, 10, FACT_EXECUTABLE), "/bin/gamma, which is longer", "another program");
	tap_str(text_of(&r, 10, FACT_CGROUP), "/docker/1", "in the same control group");
	tap_str(task_text(before, FACT_EXECUTABLE), "/bin/alpha",
		"the reading before has what was true then");
	alpha->executable = NULL;
	RUN(&r, 10, 1);
	rig_next(&r);
	tap_str(text_of(&r, 10, FACT_EXECUTABLE), "unknown",
		"what cannot be read any more is not what it was");
	tap_str(text_of(&r, 10, FACT_CGROUP), "/docker/1", "the others stay");
	task_unref(before);
	rig_end(&r, "a change");
}

/* An idle task is moved to another control group: its texts are read again within ten refreshes. */
static void test_drift(void)
{
	static struct rig r;

	begin(&r, FACT_SET(TEXTS), false);
	world_task(&r.world, 10)->cgroup = "/elsewhere";
	for (int i = 0; i < 10; i++)
		rig_next(&r);
	tap_str(text_of(&r, 10, FACT_CGROUP), "/elsewhere",
		"a group that changed while the task was idle");
	rig_end(&r, "a drift");
}

static void test_threads(void)
{
	static struct rig r;

	begin(&r, FACT_SET(TEXTS, FACT_VCSW), false);
	world_task(&r.world, 21)->cgroup = "/own";
	RUN(&r, 21, 1);
	rig_next(&r);
	tap_ok(!fact_any(fact_and(rig_task(&r, 21)->known, fact_read_texts())),
	       "in process rows, only the leader is asked");
	rig_end(&r, "threads of a process");
	begin(&r, FACT_SET(TEXTS), true);
	world_task(&r.world, 21)->cgroup = "/own";
	RUN(&r, 21, 1);
	rig_next(&r);
	tap_str(text_of(&r, 21, FACT_CGROUP), "/own", "a thread that is a row has its own");
	rig_end(&r, "threads as rows");
}

static void test_cost(void)
{
	static struct rig r;

	begin(&r, FACT_SET(FACT_USER, FACT_STATE, FACT_PROGRAM), false);
	tap_ok(!fact_any(fact_and(rig_task(&r, 10)->room,
				  fact_or(fact_read_texts(), fact_always_read()))),
	       "what is not wanted has no room");
	r.world.calls.facts = 0;
	rig_next(&r);
	tap_int(r.world.calls.facts, 0, "and idle tasks are not asked for what comes by itself");
	rig_configure(&r, &(struct rig_want)RIG_WANT(1, .facts = FACT_SET(TEXTS)));
	rig_next(&r);
	tap_str(text_of(&r, 10, FACT_CGROUP), "/docker/1",
		"when it is wanted it is read, though the task is idle");
	rig_configure(&r, &(struct rig_want)RIG_WANT(1));
	RUN(&r, 10, 1);
	rig_next(&r);
	tap_ok(!fact_any(fact_and(rig_task(&r, 10)->room, fact_read_texts())),
	       "afterwards it is forgotten");
	rig_end(&r, "cost");
}

int main(void)
{
	test_texts();
	test_change();
	test_drift();
	test_threads();
	test_cost();
	return tap_done();
}
