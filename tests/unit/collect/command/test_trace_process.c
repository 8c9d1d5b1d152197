/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A running process of two threads is followed; the second thread executes a program after the
 * first was followed, and before it is followed itself. It then has the ID of the first, and the
 * kernel reports neither this nor the end of the first.
 */
#include "collect/command/trace.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/ptrace.h>

#include "base/mem.h"
#include "tap.h"

#define FIRST  100
#define SECOND 101
#define CHILD  102 /* of a thread that was ended in fork(2) by the exec */

struct fake {
	struct trace_sys sys;
	bool executed;
	bool followed; /* the present task with the ID FIRST */
	int interrupts;
	bool gone; /* all tasks have ended */
};

static struct fake *fake_of(struct trace_sys *sys)
{
	return (struct fake *)sys;
}

static int fake_request(struct trace_sys *sys, int request, pid_t task, unsigned long number)
{
	struct fake *f = fake_of(sys);

	(void)number;
	if (request == PTRACE_SEIZE && task == SECOND) {
		f->executed = true;
		f->followed = false;
		return -ESRCH;
	}
	if (request == PTRACE_SEIZE && f->followed)
		return -EPERM;
	f->followed |= request == PTRACE_SEIZE;
	f->interrupts += request == PTRACE_INTERRUPT;
	return 0;
}

static int fake_wait(struct trace_sys *sys, pid_t task, siginfo_t *out, int options)
{
	(void)task;
	(void)options;
	out->si_pid = 0;
	return fake_of(sys)->gone ? -ECHILD : 0;
}

static int fake_status(struct trace_sys *sys, pid_t task, struct task_status *out)
{
	(void)sys;
	(void)task;
	(void)out;
	return -ENOENT;
}

static void add(struct trace_tasks *out, pid_t task)
{
	out->task = xgrow(out->task, &out->cap, out->n + 1, sizeof *out->task);
	out->task[out->n++] = task;
}

static int fake_threads(struct trace_sys *sys, pid_t process, struct trace_tasks *out)
{
	add(out, process);
	if (!fake_of(sys)->executed)
		add(out, SECOND);
	return 0;
}

static int fake_children(struct trace_sys *sys, pid_t task, struct trace_tasks *out)
{
	if (fake_of(sys)->executed && task == FIRST)
		add(out, CHILD);
	return 0;
}

static struct trace_task *find(const struct trace *t, pid_t task)
{
	for (size_t i = 0; i < t->tasks.n; i++)
		if (t->tasks.task[i].task == task)
			return &t->tasks.task[i];
	return NULL;
}

int main(void)
{
	struct fake fake = {.sys = {.request = fake_request,
				    .wait = fake_wait,
				    .status = fake_status,
				    .threads = fake_threads,
				    .children = fake_children}};
	struct err err = ERR_INIT;
	const struct trace_task *child;
	struct trace t;

	trace_init(&t, &fake.sys, true);
	tap_ok(!trace_process(&t, FIRST, &err), "the process is followed");
	tap_ok(fake.executed && fake.followed && fake.interrupts == 2,
	       "so is the thread that has the ID of the first since its exec, which must stop");
	child = find(&t, CHILD);
	tap_ok(t.tasks.n == 2 && find(&t, FIRST) && !find(&t, SECOND), "each is listed once");
	tap_ok(child && child->announced && child->creator == FIRST,
	       "a child that no thread can report any more counts as reported");
	fake.gone = true;
	trace_done(&t);
	return tap_done();
}
