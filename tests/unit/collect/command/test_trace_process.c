/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A running process of two threads is followed. Before the second one is followed, it executes a
 * program: it then has the ID of the first, and the kernel reports neither this nor the end of the
 * first. Or it creates a third thread, and ends. Or it is followed amid clone(2): then the third
 * thread exists only when the second one stops, and is not reported.
 */
#include "collect/command/trace.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/ptrace.h>
#include <sys/wait.h>

#include "base/mem.h"
#include "tap.h"

#define FIRST  100
#define SECOND 101
#define THIRD  102
#define CHILD  103 /* of a thread that was ended in fork(2) by the exec */

/* The actions of the second thread, with the kernel's refusal to follow it. */
enum deed { EXECUTES, ENDS, ENDS_AS_ZOMBIE, ENDS_AS_DEAD, ENDS_AFTER_REFUSAL, CREATES };

struct fake {
	struct trace_sys sys;
	enum deed deed;
	bool done;
	bool followed; /* the present task with the ID FIRST */
	int interrupts, listings, stops;
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
	if (request == PTRACE_SEIZE && task == SECOND && f->deed != CREATES) {
		f->done = true;
		f->followed &= f->deed != EXECUTES;
		return f->deed == EXECUTES || f->deed == ENDS ? -ESRCH : -EPERM;
	}
	if (request == PTRACE_SEIZE && task == FIRST) {
		if (f->followed)
			return -EPERM;
		f->followed = true;
	}
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
	const struct fake *f = fake_of(sys);

	*out = (struct task_status){.state = f->deed == ENDS_AS_DEAD ? 'X' : 'Z', .process = FIRST};
	return task == SECOND && f->deed != ENDS_AFTER_REFUSAL ? 0 : -ENOENT;
}

static void add(struct trace_tasks *out, pid_t task)
{
	out->task = xgrow(out->task, &out->cap, out->n + 1, sizeof *out->task);
	out->task[out->n++] = task;
}

static int fake_threads(struct trace_sys *sys, pid_t process, struct trace_tasks *out)
{
	struct fake *f = fake_of(sys);

	f->listings++;
	add(out, process);
	if (f->listings > 1 && (!f->done || f->deed == CREATES))
		add(out, SECOND);
	if (f->done && f->deed != EXECUTES)
		add(out, THIRD);
	return 0;
}

/* Reports the first stops of both threads. */
static pid_t fake_take(struct trace_sys *sys, pid_t task, int *status, int options)
{
	struct fake *f = fake_of(sys);

	(void)task;
	(void)options;
	*status = W_STOPCODE(SIGTRAP) | PTRACE_EVENT_STOP << 16;
	if (f->stops == 2)
		return 0;
	f->done = ++f->stops == 2;
	return f->stops == 1 ? FIRST : SECOND;
}

static int fake_children(struct trace_sys *sys, pid_t task, struct trace_tasks *out)
{
	if (fake_of(sys)->done && task == FIRST)
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

static struct fake fake;
static struct trace t;

/* Follows the process, whose second thread appears in the second list of threads. */
static void follow(enum deed deed)
{
	struct err err = ERR_INIT;

	fake = (struct fake){.sys = {.request = fake_request,
				     .take = fake_take,
				     .wait = fake_wait,
				     .status = fake_status,
				     .threads = fake_threads,
				     .children = fake_children},
			     .deed = deed};
	trace_init(&t, &fake.sys, true);
	tap_ok(!trace_process(&t, FIRST, &err) && (fake.done || deed == CREATES),
	       "the process is followed %s", err.text);
}

static void leave(void)
{
	fake.gone = true;
	trace_done(&t);
}

static void test_exec(void)
{
	const struct trace_task *child;

	follow(EXECUTES);
	tap_ok(fake.followed && fake.interrupts == 2,
	       "so is the thread that has the ID of the first since its exec, which must stop");
	child = find(&t, CHILD);
	tap_ok(t.tasks.n == 2 && find(&t, FIRST) && !find(&t, SECOND), "each is listed once");
	tap_ok(child && child->announced && child->creator == FIRST,
	       "a child that no thread can report any more counts as reported");
	leave();
}

static void test_end(enum deed deed, const char *how)
{
	follow(deed);
	tap_ok(t.tasks.n == 2 && find(&t, FIRST) && find(&t, THIRD) && fake.interrupts == 2,
	       "so is a thread of one that has ended since: %s", how);
	leave();
}

static void test_clone(void)
{
	struct trace_event event;

	follow(CREATES);
	tap_ok(trace_next(&t, &event) && event.kind == TRACE_BORN && event.task == FIRST,
	       "the first thread");
	tap_ok(trace_next(&t, &event) && event.kind == TRACE_BORN && event.task == SECOND,
	       "the second thread");
	tap_ok(!trace_next(&t, &event) && find(&t, THIRD) && fake.interrupts == 3,
	       "the thread that the second was creating is followed after its stop");
	leave();
}

int main(void)
{
	test_exec();
	test_clone();
	test_end(ENDS, "it is gone");
	test_end(ENDS_AS_ZOMBIE, "it is still a zombie");
	test_end(ENDS_AS_DEAD, "it is being removed");
	test_end(ENDS_AFTER_REFUSAL, "it is gone after a refusal");
	return tap_done();
}
