/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Forks, exits and names of tasks, from the kernel's records in the ring buffers of two CPUs. */
#include "life_rig.h"
#include "tap.h"

static void check(struct lives *l, struct life is)
{
	struct life life = {.process = 0};

	tap_ok(lives_next(l, &life), "a record");
	tap_int(life.what, is.what, "of this kind");
	tap_int(life.process, is.process, "of this process");
	tap_int(life.task, is.task, "and this task");
	tap_int(life.creator_pid, is.creator_pid, "made by");
	tap_int(life.time_ns, is.time_ns, "at");
	tap_str(life.name, is.name, "named");
	tap_int(life.executes, is.executes, "by a program that is executed");
}

static void test_records(void)
{
	const struct perf_event_header lost = {.type = PERF_RECORD_LOST, .size = 24};
	struct fake f = fake(0);
	struct lives *l = NULL;
	struct life life;

	tap_int(lives_open(&l, &f.sys, CPUS, TID), 0, "a ring for each CPU that is online");
	tap_int(f.n_open, 2, "of three, one is not");
	tap_ok(f.right, "they tell of all that descends from the task");
	put_task(&f, 0, PERF_RECORD_FORK, 50, TID, 50, 1000);
	put_task(&f, 0, PERF_RECORD_FORK, TID, TID, 51, 1001); /* a thread */
	put_task(&f, 0, PERF_RECORD_EXIT, TID, TID, 51, 1005);
	put_name(&f, 0, 50, 52, "thread", 1002);
	put_exec(&f, 2, 50, "make", 1003);
	put_name(&f, 2, 50, 50, "fifteen-letters", 1004);
	check(l, (struct life){LIVES_BEGIN, 50, 50, TID, 1000, "", false});
	check(l, (struct life){LIVES_BEGIN, TID, 51, TID, 1001, "", false});
	check(l, (struct life){LIVES_END, TID, 51, TID, 1005, "", false});
	check(l, (struct life){LIVES_NAME, 50, 50, 0, 1003, "make", true});
	check(l, (struct life){LIVES_NAME, 50, 50, 0, 1004, "fifteen-letters", false});
	tap_ok(!lives_next(l, &life), "names of threads are passed over");
	put(&f, 0, &lost, sizeof lost);
	put(&f, 0, (uint64_t[2]){1, 3}, 16);
	put(&f, 2, &lost, sizeof lost);
	put(&f, 2, (uint64_t[2]){1, 4}, 16);
	tap_ok(!lives_next(l, &life), "some were lost");
	tap_int(lives_losses(l).records, 7, "on two CPUs");
	f.lost = 9;
	tap_int(lives_losses(l).records, 18, "and some more, behind which nothing was written");
	lives_close(l);
	tap_int(f.n_open + f.n_mapped, 0, "nothing stays open or mapped");
}

/* Linux before 6.0 does not report how many records were lost. */
static void test_old(void)
{
	struct fake f = fake(0);
	struct lives *l = NULL;

	f.old = true;
	f.lost = 9;
	tap_int(lives_open(&l, &f.sys, CPUS, TID), 0, "a kernel that does not tell what was lost");
	tap_int(lives_losses(l).records, 0, "no loss is known");
	lives_close(l);
	tap_int(f.n_open + f.n_mapped, 0, "nothing stays open or mapped");
}

static void test_refused(void)
{
	struct fake f = fake(-EPERM);
	struct lives *l = NULL;

	tap_int(lives_open(&l, &f.sys, CPUS, TID), -EPERM, "memory is short");
	tap_int(f.n_open + f.n_mapped, 0, "nothing stays open or mapped");
	lives_close(NULL);
}

int main(void)
{
	test_records();
	test_old();
	test_refused();
	return tap_done();
}
