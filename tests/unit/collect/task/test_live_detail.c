/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The details of a single task: all facts, threads, limits; and the message if the task has exited
 * or cannot be read.
 */
#include <errno.h>
#include <string.h>

#include "live_rig.h"
#include "model/fact_list.h"

/* beta (20) has three threads, of which 22 runs twice as long as the others. */
static void begin(struct rig *r, bool threads)
{
	struct world_task *beta;

	rig_begin(r);
	beta = world_task(&r->world, 20);
	beta->cgroup = "/box";
	beta->container = "";
	rig_configure(r, &(struct rig_want)RIG_WANT(1, .threads = threads));
	rig_next(r);
	RUN(r, 20, 1);
	RUN(r, 21, 1);
	RUN(r, 22, 2);
	rig_next(r);
}

static void look(struct rig *r, const struct task *task, unsigned want, struct detail *d)
{
	r->source->ops->detail(r->source, task, want, d);
}

static void test_process(void)
{
	static struct rig r;
	struct detail d = {.error = 0};

	begin(&r, false);
	look(&r, rig_task(&r, 20), DETAIL_LIMITS, &d);
	tap_int(d.error, 0, "it can be read");
	tap_int((long)d.fact[FACT_CPU_NS], 4 * RIG_STEP_NS, "CPU time of the whole process");
	tap_int((long)d.fact[FACT_MINFLT], 4 * RIG_STEP_NS / 1000, "and other facts of it");
	tap_ok(!fact_in(d.known, FACT_VCSW), "what each thread has is unknown of the process");
	tap_str(d.text[FACT_CGROUP - FACT_FIRST_READ_TEXT], "/box", "its control group");
	tap_ok(!d.text[FACT_EXECUTABLE - FACT_FIRST_READ_TEXT], "what cannot be read is unknown");
	tap_int((long)d.n_threads, 3, "its threads");
	tap_int((long)d.thread[2].id, 22, "the third");
	tap_int((long)d.thread[2].cpu_ns, 2 * RIG_STEP_NS, "its CPU time");
	tap_str(d.thread[2].name, "beta", "its name");
	tap_str(d.limit[0].soft, "64", "its limits");
	tap_int((long)d.wait.known,
		1 << DETAIL_QUEUE_NS | 1 << DETAIL_SWITCHES | 1 << DETAIL_MINFLT |
			1 << DETAIL_MAJFLT | 1 << DETAIL_THROTTLED_NS,
		"what it waited for");
	tap_int((long)d.wait.count[DETAIL_QUEUE_NS], 4 * RIG_STEP_NS / 2, "by all its threads");
	tap_int((long)d.wait.count[DETAIL_MINFLT], 4 * RIG_STEP_NS / 1000, "its page faults");
	RUN(&r, 22, 1);
	look(&r, rig_task(&r, 20), 0, &d);
	tap_int((long)d.thread[2].cpu_ns, 3 * RIG_STEP_NS, "read again");
	tap_str(d.limit[0].soft, "64", "limits stay");
	tap_int(r.world.calls.limits, 1, "and are not read again");
	tap_ok(!d.memory.read && !r.world.calls.memory, "its memory was not requested");
	look(&r, rig_task(&r, 20), DETAIL_MEMORY, &d);
	tap_str(d.memory.group, "/box", "who asks is told");
	tap_int(r.world.calls.resctrl, 0, "nor for groups of resctrl");
	look(&r, rig_task(&r, 20), DETAIL_RESCTRL, &d);
	tap_int((long)d.resctrl.group[0].n_own, (long)d.n_threads,
		"which are asked of all threads");
	r.world.error_limits = EACCES;
	look(&r, rig_task(&r, 20), DETAIL_LIMITS, &d);
	tap_int(d.limits_error, -EACCES, "limits that cannot be read say why");
	tap_int((long)d.n_limits, 0, "old ones do not stay then");
	detail_done(&d);
	rig_end(&r, "a process");
}

static void test_thread(void)
{
	static struct rig r;
	struct detail d = {.error = 0};

	begin(&r, true);
	look(&r, rig_task(&r, 22), 0, &d);
	tap_int((long)d.fact[FACT_CPU_NS], 2 * RIG_STEP_NS, "CPU time of the thread");
	tap_int((long)d.fact[FACT_VCSW], 2 * RIG_STEP_NS / 100, "a thread has facts of its own");
	tap_int((long)d.n_threads, 3, "the threads of its process");
	tap_int((long)d.wait.count[DETAIL_QUEUE_NS], 2 * RIG_STEP_NS / 2, "its own wait");
	detail_done(&d);
	rig_end(&r, "a thread");
}

static void test_ended(void)
{
	static struct rig r;
	struct task *task;
	struct detail d = {.error = 0};

	begin(&r, false);
	task = task_ref(rig_task(&r, 20));
	world_reap(&r.world, 20);
	look(&r, task, DETAIL_LIMITS, &d);
	tap_int(d.error, -ESRCH, "it has ended");
	world_wait(&r.world, 1000000000);
	world_start(&r.world, 20, "gamma");
	look(&r, task, DETAIL_LIMITS, &d);
	tap_int(d.error, -ESRCH, "another one with its number is not it");
	tap_int(r.world.calls.limits, 0, "and is asked for nothing else");
	r.world.error_facts = EACCES;
	look(&r, task, DETAIL_LIMITS, &d);
	tap_int(d.error, -EACCES, "what cannot be read says why");
	task_unref(task);
	detail_done(&d);
	r.world.error_facts = 0;
	rig_end(&r, "one that has ended");
}

static void test_many_threads(void)
{
	static struct rig r;
	struct detail d = {.error = 0};

	rig_init(&r);
	world_start(&r.world, 10, "many");
	for (int i = 1; i < DETAIL_THREADS_MAX + 7; i++)
		world_start_thread(&r.world, 10, 10 + i, 10);
	rig_configure(&r, &(struct rig_want)RIG_WANT(1));
	rig_next(&r);
	look(&r, rig_task(&r, 10), 0, &d);
	tap_int((long)d.n_threads, DETAIL_THREADS_MAX, "this many are read");
	tap_int((long)d.n_more, 7, "the others are counted");
	tap_ok(!(d.wait.known & 1 << DETAIL_QUEUE_NS), "what some of them waited is no sum of all");
	detail_done(&d);
	rig_done(&r);
}

int main(void)
{
	test_process();
	test_thread();
	test_ended();
	test_many_threads();
	return tap_done();
}
