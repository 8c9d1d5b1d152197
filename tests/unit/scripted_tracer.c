/* SPDX-License-Identifier: GPL-2.0-or-later */
/* part of scripted_tasks: the calls of the tracer. */
#include "scripted_tasks.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/ptrace.h>
#include <sys/wait.h>

#include "base/mem.h"

static struct st_kernel *self_of(struct trace_sys *sys)
{
	return (struct st_kernel *)sys;
}

/* options: WEXITED, WSTOPPED, or both. */
bool st_is_reportable(const struct st_kernel *k, const struct st_task *t, int options)
{
	if (!t->used || (!t->traced && !(st_is_first(t) && t->process->parent == ST_TRACER)))
		return false;
	if (t->dead)
		return options & WEXITED && (!st_is_first(t) || st_count_tasks(k, t->process) == 1);
	return options & WSTOPPED && t->stopped && t->status;
}

static int status_of(const struct st_task *t)
{
	if (!t->dead)
		return t->status;
	return t->process->ended_by_all ? t->process->code : t->code;
}

/* Returns a task with a reportable change. If the command has ended, it comes first, as wait(2)
 * reports children before traced tasks. */
static struct st_task *draw_change(struct st_kernel *k, pid_t task, int options)
{
	const unsigned from = st_draw(k, ST_TASKS);
	struct st_task *t = st_find(k, task < 0 ? ST_COMMAND : task);

	if (t && st_is_reportable(k, t, options) && (t->dead || task > 0))
		return t;
	for (unsigned i = 0; i < ST_TASKS && task < 0; i++) {
		t = &k->task[(from + i) % ST_TASKS];
		if (st_is_reportable(k, t, options))
			return t;
	}
	return NULL;
}

/* Returns whether wait(2) may ever report this task. */
static bool is_waitable(const struct st_kernel *k, const struct st_task *t)
{
	return t && t->used && (t->traced || (st_is_first(t) && t->process->parent == ST_TRACER)) &&
	       k;
}

static bool has_waitable(struct st_kernel *k, pid_t task)
{
	if (task > 0)
		return is_waitable(k, st_find(k, task));
	for (int i = 0; i < ST_TASKS; i++)
		if (is_waitable(k, &k->task[i]))
			return true;
	return false;
}

/* Waits for a change like wait(2). It is an error of the tracer to wait for a first thread that has
 * ended, which lasts until all other threads have; or for a task that never changes state. */
static int await(struct st_kernel *k, pid_t task, int options, struct st_task **out)
{
	k->handles &= task > 0;
	st_run(k, st_draw(k, 4));
	while (!(*out = draw_change(k, task, options))) {
		const struct st_task *t = task > 0 ? st_find(k, task) : NULL;

		if (!has_waitable(k, task))
			return -ECHILD;
		if (options & WNOHANG)
			return 0;
		st_check(k, !t || !t->dead, "the tracer waits for what goes on without it");
		if (!st_run(k, 1) && !st_run(k, 200)) {
			st_check(k, false, "the tracer waits for ever");
			return -ECHILD;
		}
	}
	k->handles = true;
	return 1;
}

static pid_t st_take(struct trace_sys *sys, pid_t task, int *status, int options)
{
	struct st_kernel *k = self_of(sys);
	struct st_task *t;
	const int ret = await(k, task, options | WEXITED | WSTOPPED, &t);
	pid_t taken;

	if (ret <= 0)
		return ret;
	taken = t->task;
	*status = status_of(t);
	t->status = 0;
	if (!t->dead)
		return taken;
	t->life->status = *status;
	st_check(k, !k->keeps || t->task != ST_COMMAND, "the tracer takes the end of the command");
	t->traced = false;
	if (st_is_first(t))
		t->process->parent = 1;
	st_reap(k);
	return taken;
}

static int st_wait(struct trace_sys *sys, pid_t task, siginfo_t *out, int options)
{
	struct st_kernel *k = self_of(sys);
	struct st_task *t;
	const int ret = await(k, task, options, &t);
	int status;

	out->si_pid = 0;
	if (ret <= 0)
		return ret;
	status = status_of(t);
	out->si_pid = t->task;
	if (!t->dead) {
		out->si_code = CLD_TRAPPED;
		out->si_status = status >> 8;
		t->status = options & WNOWAIT ? t->status : 0;
	} else {
		t->life->status = status;
		out->si_code = WIFEXITED(status) ? CLD_EXITED : CLD_KILLED;
		out->si_status = WIFEXITED(status) ? WEXITSTATUS(status) : WTERMSIG(status);
	}
	return 0;
}

static int seize(struct st_kernel *k, struct st_task *t, unsigned long options)
{
	(void)k;
	if (!t)
		return -ESRCH;
	if (t->dead || t->traced)
		return -EPERM;
	t->traced = t->life->traced = t->life->seized = true;
	t->children = options & PTRACE_O_TRACEFORK;
	t->trap = t->process->stopped;
	return 0;
}

static int resume(struct st_kernel *k, struct st_task *t, int signal)
{
	t->stopped = false;
	t->status = 0;
	t->trap |= t->notified;
	t->notified = false;
	t->alone = t->event_stop && t->process->stopped && !t->trap;
	if (signal == SIGTSTP)
		st_stop_process(k, t->process, signal);
	return 0;
}

static int detach(struct st_kernel *k, struct st_task *t, int signal)
{
	resume(k, t, signal);
	t->traced = t->trap = t->alone = false;
	return 0;
}

static int listen(struct st_task *t)
{
	if (!t->event_stop)
		return -EIO;
	t->stopped = false;
	t->listens = !t->notified;
	t->trap = t->notified;
	t->notified = false;
	return 0;
}

static int interrupt(struct st_task *t)
{
	if (t->dead || t->dying)
		return 0;
	t->trap = true;
	t->listens = false;
	return 0;
}

static int st_request(struct trace_sys *sys, int request, pid_t task, unsigned long number)
{
	struct st_kernel *k = self_of(sys);
	struct st_task *t;

	st_run(k, st_draw(k, 3));
	t = st_find(k, task);
	if (request == PTRACE_SEIZE)
		return seize(k, t, number);
	if (!t || !t->traced)
		return -ESRCH;
	if (request == PTRACE_INTERRUPT)
		return interrupt(t);
	if (!t->stopped || t->dying || t->dead)
		return -ESRCH;
	if (request == PTRACE_CONT)
		return resume(k, t, (int)number);
	if (request == PTRACE_DETACH)
		return detach(k, t, (int)number);
	return request == PTRACE_LISTEN ? listen(t) : -EIO;
}

static int st_message(struct trace_sys *sys, pid_t task, unsigned long *out)
{
	struct st_kernel *k = self_of(sys);
	const struct st_task *t;

	st_run(k, st_draw(k, 3));
	t = st_find(k, task);
	if (!t || !t->traced || !t->stopped)
		return -ESRCH;
	*out = t->message;
	return 0;
}

static bool st_is_thread(struct trace_sys *sys, pid_t task, pid_t process)
{
	const struct st_task *t = st_find(self_of(sys), task);

	return t && t->process->process == process;
}

static int st_status(struct trace_sys *sys, pid_t task, struct task_status *out)
{
	struct st_kernel *k = self_of(sys);
	const struct st_task *t;

	st_run(k, st_draw(k, 3));
	t = st_find(k, task);
	if (!t)
		return -ENOENT;
	*out = (struct task_status){.state = t->dead                    ? 'Z'
					     : t->vfork                 ? 'D'
					     : t->stopped || t->listens ? 't'
									: 'R',
				    .process = t->process->process,
				    .parent = t->process->parent,
				    .tracer = t->traced ? ST_TRACER : 0};
	return 0;
}

static void list(struct trace_tasks *out, pid_t task)
{
	out->task = xgrow(out->task, &out->cap, out->n + 1, sizeof *out->task);
	out->task[out->n++] = task;
}

static int st_threads(struct trace_sys *sys, pid_t process, struct trace_tasks *out)
{
	struct st_kernel *k = self_of(sys);

	st_run(k, st_draw(k, 3));
	for (int i = 0; i < ST_TASKS; i++)
		if (k->task[i].used && k->task[i].process->process == process)
			list(out, k->task[i].task);
	return out->n ? 0 : -ENOENT;
}

static int st_children(struct trace_sys *sys, pid_t task, struct trace_tasks *out)
{
	struct st_kernel *k = self_of(sys);

	st_run(k, st_draw(k, 3));
	for (int i = 0; i < ST_TASKS; i++)
		if (k->process[i].used && k->process[i].parent == task)
			list(out, k->process[i].process);
	return 0;
}

struct trace_sys st_sys(void)
{
	return (struct trace_sys){st_request,   st_message, st_take,    st_wait,
				  st_is_thread, st_status,  st_threads, st_children};
}
