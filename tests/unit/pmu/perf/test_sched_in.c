/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Whether a thread has run since a page was mapped: on this machine's kernel, and on one that
 * refuses. */
#include "pmu/perf/sched_in.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "scripted_pmu.h"
#include "tap.h"

#define ROUNDS 50

/* A child that answers each byte, and sleeps otherwise. */
struct child {
	pid_t pid;
	int to, from;
};

static void child_start(struct child *c)
{
	int to[2], from[2];
	char byte;

	if (pipe(to) || pipe(from))
		abort();
	c->pid = fork();
	if (!c->pid) {
		close(to[1]);
		while (read(to[0], &byte, 1) == 1 && write(from[1], &byte, 1) == 1)
			;
		_exit(0);
	}
	close(to[0]);
	close(from[1]);
	c->to = to[1];
	c->from = from[0];
}

static void child_end(struct child *c)
{
	close(c->to);
	waitpid(c->pid, NULL, 0);
	close(c->from);
}

static void ask(const struct child *c)
{
	char byte = 'x';

	if (write(c->to, &byte, 1) != 1 || read(c->from, &byte, 1) != 1)
		abort();
}

static uint64_t clock_of(pid_t pid)
{
	struct timespec t;
	clockid_t id;

	if (clock_getcpuclockid(pid, &id) || clock_gettime(id, &t))
		abort();
	return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

/* Waits until the child sleeps: its CPU time stands still for longer than a tick. */
static void settle(const struct child *c)
{
	const struct timespec pause = {.tv_nsec = 15000000};
	uint64_t before, now = clock_of(c->pid);

	do {
		before = now;
		nanosleep(&pause, NULL);
		now = clock_of(c->pid);
	} while (now != before);
}

static void test_kernel(void)
{
	struct perf_kernel k;
	struct sched_in s;
	struct child c;
	int missed = 0, imagined = 0, ret;

	perf_kernel_init(&k, NULL, 0);
	child_start(&c);
	ask(&c);
	settle(&c);
	ret = sched_in_open(&s, &k.sys, c.pid);
	if (ret) {
		tap_skip("the kernel opens no event of a child: %s", strerror(-ret));
		child_end(&c);
		return;
	}
	for (int i = 0; i < ROUNDS; i++) {
		uint64_t before = clock_of(c.pid);

		imagined += sched_in_happened(&s) && clock_of(c.pid) == before;
		ask(&c);
		missed += !sched_in_happened(&s);
		settle(&c);
		sched_in_close(&s, &k.sys);
		if (sched_in_open(&s, &k.sys, c.pid))
			abort();
	}
	tap_int(missed, 0, "a thread that has run is noticed each time");
	tap_int(imagined, 0, "one that sleeps is not");
	kill(c.pid, SIGKILL);
	waitpid(c.pid, NULL, 0);
	tap_ok(sched_in_happened(&s), "a thread that is killed in its sleep runs to its end");
	sched_in_close(&s, &k.sys);
	sched_in_close(&s, &k.sys);
	tap_ok(!s.page, "closing it twice does nothing");
	child_end(&c);
}

static void test_refused(void)
{
	struct sched_in s;
	struct pmu pmu;

	pmu_init(&pmu);
	pmu_task_add(&pmu, 5);
	tap_int(sched_in_open(&s, &pmu.sys, 5), -ENOSYS, "nothing can be mapped");
	pmu_map_pages(&pmu);
	tap_int(sched_in_open(&s, &pmu.sys, 6), -ESRCH, "a thread that has ended");
	pmu.script.no_map = EPERM;
	tap_int(sched_in_open(&s, &pmu.sys, 5), -ENOBUFS, "no memory may be locked");
	pmu.script.no_map = ENOMEM;
	tap_int(sched_in_open(&s, &pmu.sys, 5), -ENOMEM, "no mapping is free");
	tap_ok(!s.page, "after an error it is not open");
	pmu.script.no_map = 0;
	tap_int(sched_in_open(&s, &pmu.sys, 5), 0, "then it can be opened");
	pmu_run(&pmu, 5, 1);
	tap_ok(sched_in_happened(&s), "and notices that the thread runs");
	sched_in_close(&s, &pmu.sys);
	tap_int(pmu.n_open, 0, "no descriptor is left open");
	tap_int(pmu.bad_calls, 0, "every call made sense");
}

int main(void)
{
	test_kernel();
	test_refused();
	return tap_done();
}
