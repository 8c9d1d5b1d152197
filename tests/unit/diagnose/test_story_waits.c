/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Waits of tasks for a CPU in the story of a time span. */
#include "diagnose/judge.h"
#include "diagnose/story.h"
#include "model/fact_list.h"
#include "model/kinds.h"
#include "tap.h"

#define SECOND_NS UINT64_C(1000000000)

struct rig {
	struct rules *rules;
	struct story story;
};

static void report(void *context, const struct err *err)
{
	(void)context;
	tap_ok(false, "%s", err->text);
}

static void begin(struct rig *r)
{
	static const struct verdict_table *const table = &verdict_table_built_in;

	r->rules = rules_new(&table, 1, NULL, report, NULL);
	story_init(&r->story, r->rules);
}

static void end(struct rig *r)
{
	story_done(&r->story);
	rules_free(r->rules);
}

/* Waits for a CPU are summed separately from CPU time, and may exceed it. */
static void test_waits(void)
{
	struct task *t[2];
	struct rig r;

	begin(&r);
	tap_ok(!r.story.wait_known, "nothing is known of waits");
	for (int i = 0; i < 2; i++) {
		t[i] = task_new(&kind_task, FACT_SET(FACT_WAIT_NS), 0,
				&(struct task_texts){.name = "alpha"});
		t[i]->id = t[i]->owner = 1;
		task_set_fact(t[i], FACT_WAIT_NS, i ? 9000000000 : 1000000000);
	}
	story_row(&r.story,
		  &(struct story_row){.row = &(struct delta_row){.task = t[1],
								 .facts_from = t[0],
								 .facts_ns = 10000000000,
								 .cpu_ns = value_exact(1e8)}});
	tap_num(r.story.cpu_ns, 1e8, "the CPU time");
	tap_ok(r.story.wait_known && !r.story.wait_partial, "waits are known");
	tap_num(r.story.wait_ns, 8e9, "and no part of it");
	story_row(&r.story, &(struct story_row){.row = &(struct delta_row){
							.task = t[1], .cpu_ns = value_exact(1e8)}});
	tap_num(r.story.wait_ns, 8e9, "an interval without them");
	tap_ok(r.story.wait_partial, "makes them a part");
	task_unref(t[0]);
	task_unref(t[1]);
	end(&r);
}

/* Adds a row whose wait for a CPU grew by waited_ns in the last 2 s. Returns by how much the
 * story's sum grew. */
static double wait_after(struct rig *r, uint64_t waited_ns)
{
	const double before = r->story.wait_ns;
	struct task *t[2];

	for (int i = 0; i < 2; i++) {
		t[i] = task_new(&kind_task, FACT_SET(FACT_WAIT_NS), 0,
				&(struct task_texts){.name = "alpha"});
		t[i]->id = t[i]->owner = 1;
		task_set_fact(t[i], FACT_WAIT_NS, i * waited_ns);
	}
	story_row(&r->story,
		  &(struct story_row){.row = &(struct delta_row){.task = t[1],
								 .facts_from = t[0],
								 .facts_ns = 2 * SECOND_NS,
								 .cpu_ns = value_exact(0)}});
	task_unref(t[0]);
	task_unref(t[1]);
	return r->story.wait_ns - before;
}

/* The kernel reports a wait when it ends: a wait may have begun before its interval, but the part
 * before the span is not counted. */
static void test_waits_of_before(void)
{
	struct rig r;

	begin(&r);
	for (unsigned i = 0; i <= 3; i++)
		story_interval(&r.story, &(struct story_interval){
						 .wall_ns = (1 + i) * 2 * SECOND_NS,
						 .mono_ns = i * 2 * SECOND_NS,
						 .interval_ns = i ? 2 * SECOND_NS : 0,
					 });
	tap_num(wait_after(&r, SECOND_NS), 1e9, "a wait within its interval");
	tap_num(wait_after(&r, 5 * SECOND_NS), 5e9, "one that began before it is there as a whole");
	tap_num(wait_after(&r, 9 * SECOND_NS), 6e9, "but nothing of what was before the span");
	end(&r);
}

int main(void)
{
	test_waits();
	test_waits_of_before();
	return tap_done();
}
