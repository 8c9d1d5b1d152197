/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "collect/command/trace.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/file.h"
#include "base/mem.h"
#include "base/num.h"
#include "pmu/check/refusal.h"

/* ---- kernel ---- */

/* Maximum bytes of the list of children of a task. */
#define CHILDREN_SIZE (1 << 20)

static int kernel_request(struct trace_sys *self, int request, pid_t task, unsigned long number)
{
	(void)self;
	return ptrace(request, task, NULL, number) ? -errno : 0;
}

static int kernel_message(struct trace_sys *self, pid_t task, unsigned long *out)
{
	(void)self;
	return ptrace(PTRACE_GETEVENTMSG, task, NULL, out) ? -errno : 0;
}

static pid_t kernel_take(struct trace_sys *self, pid_t task, int *status, int options)
{
	const pid_t taken = waitpid(task, status, options | __WALL);

	(void)self;
	return taken < 0 ? -errno : taken;
}

static int kernel_wait(struct trace_sys *self, pid_t task, siginfo_t *out, int options)
{
	const idtype_t type = task < 0 ? P_ALL : P_PID;

	(void)self;
	out->si_pid = 0;
	return waitid(type, task < 0 ? 0 : (id_t)task, out, options | __WALL) ? -errno : 0;
}

static bool kernel_is_thread(struct trace_sys *self, pid_t task, pid_t process)
{
	(void)self;
	return syscall(SYS_tgkill, process, task, 0) == 0;
}

static int kernel_status(struct trace_sys *self, pid_t task, struct task_status *out)
{
	(void)self;
	return task_status_read(task, out);
}

static void add_task(struct trace_tasks *out, const char *text)
{
	long task;

	if (num_parse_int(text, "a task", 1, INT32_MAX, &task, NULL))
		return;
	out->task = xgrow(out->task, &out->cap, out->n + 1, sizeof *out->task);
	out->task[out->n++] = (pid_t)task;
}

static int kernel_threads(struct trace_sys *self, pid_t process, struct trace_tasks *out)
{
	struct folder folder;
	const char *name;
	const int ret = folder_open(&folder, "/proc/%d/task", process);

	(void)self;
	while ((name = folder_next(&folder)))
		add_task(out, name);
	return ret < 0 ? ret : 0;
}

static int kernel_children(struct trace_sys *self, pid_t task, struct trace_tasks *out)
{
	struct strbuf text;
	char path[64];
	ssize_t n;

	(void)self;
	snprintf(path, sizeof path, "/proc/%d/task/%d/children", task, task);
	strbuf_init(&text);
	n = file_read_lines(AT_FDCWD, path, CHILDREN_SIZE, &text);
	for (char *next, *one = strtok_r(text.text, " \n", &next); n > 0 && one;
	     one = strtok_r(NULL, " \n", &next))
		add_task(out, one);
	strbuf_done(&text);
	return n < 0 ? (int)n : 0;
}

int trace_status(const siginfo_t *info)
{
	switch (info->si_code) {
	case CLD_EXITED:
		return W_EXITCODE(info->si_status, 0);
	case CLD_KILLED:
		return W_EXITCODE(0, info->si_status);
	case CLD_DUMPED:
		return W_EXITCODE(0, info->si_status) | WCOREFLAG;
	default:
		return W_STOPCODE(info->si_status);
	}
}

struct trace_sys trace_kernel(void)
{
	return (struct trace_sys){kernel_request, kernel_message,   kernel_take,
				  kernel_wait,    kernel_is_thread, kernel_status,
				  kernel_threads, kernel_children};
}

/* ---- list ---- */

/* Returns the entry of a task; NULL: none. */
static struct trace_task *trace_list_find(const struct trace_list *l, pid_t task)
{
	for (size_t i = l->n; i-- > 0;)
		if (l->task[i].task == task)
			return &l->task[i];
	return NULL;
}

/* Adds a task, which is taken to be a separate process until more is known. */
static struct trace_task *trace_list_add(struct trace_list *l, pid_t task)
{
	l->task = xgrow(l->task, &l->cap, l->n + 1, sizeof *l->task);
	l->task[l->n] = (struct trace_task){.task = task, .process = task};
	return &l->task[l->n++];
}

/* Drops a task; the last task of the array takes its place. */
static void trace_list_drop(struct trace_list *l, const struct trace_task *task)
{
	l->task[task - l->task] = l->task[--l->n];
}

/* Drops the tasks of a process except its leader. Returns whether TRACE_BORN was returned for one
 * of these. */
static bool trace_list_drop_others(struct trace_list *l, pid_t process)
{
	bool born = false;

	for (size_t i = l->n; i-- > 0;)
		if (l->task[i].process == process && l->task[i].task != process) {
			born |= l->task[i].born;
			trace_list_drop(l, &l->task[i]);
		}
	return born;
}

/* Returns whether the list has a task of the process. */
static bool trace_list_has(const struct trace_list *l, pid_t process)
{
	for (size_t i = 0; i < l->n; i++)
		if (l->task[i].process == process)
			return true;
	return false;
}

static void trace_list_done(struct trace_list *l)
{
	free(l->task);
}

/* ---- wait ----
 *
 * Waits for changes of tasks.
 */

void trace_wait(struct trace *t)
{
	siginfo_t info;

	while (t->sys->wait(t->sys, -1, &info, WEXITED | WSTOPPED | WNOWAIT) == -EINTR)
		;
}

bool trace_await_birth(struct trace *t, struct trace_event *out)
{
	while (!trace_next(t, out)) {
		if (t->kept_ended)
			return false;
		trace_wait(t);
	}
	return out->kind == TRACE_BORN;
}

/* ---- trace ---- */

void trace_init(struct trace *t, struct trace_sys *sys, bool children)
{
	*t = (struct trace){.sys = sys, .children = children};
}

static int request(const struct trace *t, int what, pid_t task, int number)
{
	return t->sys->request(t->sys, what, task, (unsigned long)number);
}

/* Continues a task. If it was killed meanwhile, its end is reported instead. */
static void resume(const struct trace *t, pid_t task, int signal)
{
	request(t, PTRACE_CONT, task, signal);
}

static int seize(const struct trace *t, pid_t task)
{
	int options = PTRACE_O_TRACECLONE | PTRACE_O_TRACEEXEC;

	if (t->children)
		options |= PTRACE_O_TRACEFORK | PTRACE_O_TRACEVFORK;
	return request(t, PTRACE_SEIZE, task, options);
}

static int explain(int ret, pid_t task, bool command, struct err *err)
{
	struct trace_facts facts = {.task = task, .command = command};

	if (ret == -EPERM) {
		trace_facts_read(&facts);
		return trace_refusal_explain(&facts, err);
	}
	return err_set(err, -ret, "task %d cannot be followed: %s", task, strerror(-ret));
}

int trace_command(struct trace *t, pid_t pid, struct err *err)
{
	struct trace_task *task;
	int ret = seize(t, pid);

	if (ret)
		return explain(ret, pid, true, err);
	task = trace_list_add(&t->tasks, pid);
	task->announced = true;
	ret = request(t, PTRACE_INTERRUPT, pid, 0);
	return ret ? explain(ret, pid, true, err) : 0;
}

/* Returns whether a thread that cannot be followed has ended. *stays: it stays a zombie, as a
 * leader that has ended before the other threads, or for another tracer. */
static bool has_exited(const struct trace *t, pid_t process, pid_t thread, bool *stays)
{
	struct task_status status;
	const int ret = t->sys->status(t->sys, thread, &status);

	*stays = !ret && (thread == process || status.tracer);
	if (ret)
		return ret == -ENOENT || ret == -ESRCH;
	return status.state == 'Z' || status.state == 'X';
}

/* Follows a thread of a process. Returns 1 if it is followed now, or has ended since it was listed:
 * it may have created a thread that is not listed. Returns 0 if it is a zombie that stays, or
 * -errno. */
static int seize_thread(struct trace *t, pid_t process, pid_t thread)
{
	const int ret = seize(t, thread);
	struct trace_task *task;
	bool stays = false;

	if (ret == -ESRCH || (ret == -EPERM && has_exited(t, process, thread, &stays)))
		return !stays;
	if (ret)
		return ret;
	task = trace_list_add(&t->tasks, thread);
	task->process = process;
	task->announced = task->seized = true;
	request(t, PTRACE_INTERRUPT, thread, 0);
	return 1;
}

/* Asks the kernel whether a task is followed: if it was killed at its first stop, it may be gone
 * already. */
static bool is_traced(const struct trace *t, pid_t task)
{
	siginfo_t info;

	return !t->sys->wait(t->sys, task, &info, WEXITED | WSTOPPED | WNOHANG | WNOWAIT);
}

/* Finds processes whose creators, threads of `process`, were ended by an exec before they could
 * report them. After the exec, they are the children of the remaining task that were not announced
 * yet: it has created none itself since. */
static void find_orphans(struct trace *t, pid_t process)
{
	struct trace_tasks list = {.n = 0};

	t->sys->children(t->sys, process, &list);
	for (size_t i = 0; i < list.n; i++) {
		struct trace_task *task = trace_list_find(&t->tasks, list.task[i]);

		if (task ? task->announced : !is_traced(t, list.task[i]))
			continue;
		if (!task)
			task = trace_list_add(&t->tasks, list.task[i]);
		task->announced = true;
		task->creator = process;
	}
	free(list.task);
}

/* Follows a thread that executed a program before it was followed: it now has the ID of the leader,
 * which the kernel does not report. Returns 1 if there was such a thread, else 0. */
static int seize_replaced(struct trace *t, pid_t pid)
{
	if (!trace_list_find(&t->tasks, pid) || seize(t, pid))
		return 0;
	request(t, PTRACE_INTERRUPT, pid, 0);
	find_orphans(t, pid);
	return 1;
}

/* Follows the threads that are not followed yet. Returns how many of them were listed, without
 * zombies that stay, or -errno. */
static int seize_threads(struct trace *t, pid_t pid)
{
	struct trace_tasks list = {.n = 0};
	int ret = t->sys->threads(t->sys, pid, &list), n = 0;

	for (size_t i = 0; ret >= 0 && i < list.n; i++)
		if (!trace_list_find(&t->tasks, list.task[i])) {
			ret = seize_thread(t, pid, list.task[i]);
			n += ret;
		}
	free(list.task);
	return ret < 0 ? ret : n + seize_replaced(t, pid);
}

static bool is_any_seized(const struct trace *t)
{
	for (size_t i = 0; i < t->tasks.n; i++)
		if (t->tasks.task[i].seized)
			return true;
	return false;
}

/* Follows threads that were missed. If a thread is followed amid clone(2), the kernel does not
 * report the new thread, and may list it only later: at the next stop of its creator. */
static void seize_missed(struct trace *t)
{
	int n = 1;

	while (t->attached && n > 0 && !is_any_seized(t))
		n = trace_list_has(&t->tasks, t->attached) ? seize_threads(t, t->attached) : 0;
	if (n <= 0)
		t->attached = 0;
}

int trace_process(struct trace *t, pid_t pid, struct err *err)
{
	int n;

	/* Repeated, as threads that are not followed yet may start others. */
	do
		n = seize_threads(t, pid);
	while (n > 0);
	if (n < 0) {
		trace_done(t);
		return n == -ENOENT ? err_set(err, ESRCH, "there is no process %d", pid)
				    : explain(n, pid, false, err);
	}
	t->attached = pid;
	return t->tasks.n ? 0 : err_set(err, ESRCH, "the process %d has ended", pid);
}

/* Reports the birth of a task: both its creator and the task itself have reported it. */
static bool begin(struct trace *t, struct trace_task *task, struct trace_event *out)
{
	task->born = true;
	t->held = task->task;
	*out = (struct trace_event){
		.kind = TRACE_BORN,
		.task = task->task,
		.process = task->process,
		.creator = task->creator,
	};
	return true;
}

/* Returns whether the task is to be followed. clone(2) without CLONE_THREAD creates a process. */
static bool is_wanted(const struct trace *t, const struct trace_task *task)
{
	return t->children || task->process != task->task || !task->creator;
}

static bool report_birth(struct trace *t, struct trace_task *task, struct trace_event *out)
{
	if (!task->announced || !task->waits || task->born)
		return false;
	if (is_wanted(t, task))
		return begin(t, task, out);
	request(t, PTRACE_DETACH, task->task, 0);
	trace_list_drop(&t->tasks, task);
	return false;
}

/* Handles the report of a task that it has created another task, whose first stop may have been
 * reported already. */
static bool on_creation(struct trace *t, const struct trace_task *creator, struct trace_event *out)
{
	const pid_t by = creator->task, process = creator->process;
	unsigned long made = 0;
	struct trace_task *task;

	if (t->sys->message(t->sys, by, &made))
		return false;
	resume(t, by, 0);
	task = trace_list_find(&t->tasks, (pid_t)made);
	if (!task && is_traced(t, (pid_t)made))
		task = trace_list_add(&t->tasks, (pid_t)made);
	if (!task)
		return false;
	task->announced = true;
	task->creator = by;
	task->process = t->sys->is_thread(t->sys, task->task, process) ? process : task->task;
	return report_birth(t, task, out);
}

/* Handles an execve(2). The kernel gives the executing task the ID of its process, whichever task
 * of the process it was. A task that existed before it was followed may execute even before its
 * first stop. If the executing task is killed before its former ID is asked for, that ID stays
 * unknown: `former` is then the ID of the process. */
static bool on_exec(struct trace *t, pid_t pid, struct trace_event *out)
{
	unsigned long former = (unsigned long)pid;
	const bool has_former = !t->sys->message(t->sys, pid, &former);
	const struct trace_task *one = trace_list_find(&t->tasks, (pid_t)former);
	struct trace_task *first;
	bool waits = one && one->waits, born = one && one->born;

	born |= trace_list_drop_others(&t->tasks, pid) && !has_former;
	first = trace_list_find(&t->tasks, pid);
	first->waits = waits;
	first->born = born;
	find_orphans(t, pid);
	t->held = pid;
	*out = (struct trace_event){
		.kind = TRACE_EXEC,
		.task = pid,
		.process = pid,
		.former = (pid_t)former,
	};
	return true;
}

/* Handles a PTRACE_EVENT_STOP: the first stop of a task, or a stop of all threads of its process
 * (SIGSTOP, Ctrl-Z), which lasts until SIGCONT. */
static bool on_stop(struct trace *t, struct trace_task *task, int signal, struct trace_event *out)
{
	if (!task->born) {
		task->waits = true;
		task->stopped = signal != SIGTRAP;
		return report_birth(t, task, out);
	}
	if (signal == SIGTRAP)
		resume(t, task->task, 0);
	else
		request(t, PTRACE_LISTEN, task->task, 0);
	return false;
}

/* Handles the end of a task. At the end of a process, also ends a thread that was killed just after
 * its exec had given it the ID of the process. */
static bool on_end(struct trace *t, pid_t pid, int status, struct trace_event *out)
{
	struct trace_task *task = trace_list_find(&t->tasks, pid);
	bool born = task && task->born;

	*out = (struct trace_event){
		.kind = TRACE_ENDED,
		.task = pid,
		.process = task ? task->process : pid,
		.status = status,
	};
	if (task)
		trace_list_drop(&t->tasks, task);
	return trace_list_drop_others(&t->tasks, pid) || born;
}

static bool is_creation(int status)
{
	const int event = status >> 16;

	return event == PTRACE_EVENT_FORK || event == PTRACE_EVENT_VFORK ||
	       event == PTRACE_EVENT_CLONE;
}

/* Handles a change of a task. Returns whether it is an event for the caller. */
static bool on_change(struct trace *t, pid_t pid, int status, struct trace_event *out)
{
	struct trace_task *task = trace_list_find(&t->tasks, pid);

	if (!WIFSTOPPED(status))
		return on_end(t, pid, status, out);
	if (!task)
		task = trace_list_add(&t->tasks, pid);
	task->seized = false;
	if (is_creation(status))
		return on_creation(t, task, out);
	switch (status >> 16) {
	case PTRACE_EVENT_EXEC:
		return on_exec(t, pid, out);
	case PTRACE_EVENT_STOP:
		return on_stop(t, task, WSTOPSIG(status), out);
	default:
		resume(t, pid, WSTOPSIG(status));
		return false;
	}
}

/* Reaps a change of one task, waiting for task after task: a wait for any task would always return
 * `kept`, which stays a zombie. */
static pid_t reap_tracees(const struct trace *t, int *status)
{
	pid_t pid = 0;

	for (size_t i = 0; i < t->tasks.n && pid <= 0; i++)
		pid = t->sys->take(t->sys, t->tasks.task[i].task, status, WNOHANG);
	return pid;
}

/* Reaps the change in `info`, and returns the pid. Of `kept`, only stops are reaped, since the
 * caller waits for its end. If `kept` was killed meanwhile, its stop is gone: returns 0. */
static pid_t reap_change(const struct trace *t, siginfo_t *info, int *status)
{
	if (info->si_pid != t->kept)
		return t->sys->take(t->sys, info->si_pid, status, WNOHANG);
	if (t->sys->wait(t->sys, t->kept, info, WSTOPPED | WNOHANG))
		return 0;
	*status = trace_status(info);
	return info->si_pid;
}

/* Returns the next task with a change; 0 or less: none. */
static pid_t next_change(struct trace *t, int *status)
{
	siginfo_t info = {.si_pid = 0};
	pid_t pid;

	if (!t->kept)
		return t->sys->take(t->sys, -1, status, WNOHANG);
	while (!t->kept_ended) {
		if (t->sys->wait(t->sys, -1, &info, WEXITED | WSTOPPED | WNOHANG | WNOWAIT) ||
		    !info.si_pid)
			return 0;
		t->kept_ended = info.si_pid == t->kept && !WIFSTOPPED(trace_status(&info));
		if (t->kept_ended) {
			*status = trace_status(&info);
			return t->kept;
		}
		pid = reap_change(t, &info, status);
		if (pid > 0)
			return pid;
	}
	return reap_tracees(t, status);
}

/* Returns the present parent of a process; 0: it is a thread, or has ended. */
static pid_t parent_of(const struct trace *t, pid_t task)
{
	struct task_status status;

	return t->sys->status(t->sys, task, &status) || status.process != task ? 0 : status.parent;
}

/* Returns whether the creator of the process has ended without reporting the process, as when the
 * creator is killed during fork(2): the parent of the process is then none of the followed tasks.
 * If so, marks the process as created and reported by this parent: otherwise the process would wait
 * for ever. */
static bool is_orphan(const struct trace *t, struct trace_task *task)
{
	const pid_t parent = parent_of(t, task->task);

	if (!parent || trace_list_has(&t->tasks, parent))
		return false;
	task->announced = true;
	task->creator = parent;
	return true;
}

/* Reports the birth of a task that its creator has not reported. */
static bool report_orphan(struct trace *t, struct trace_event *out)
{
	for (size_t i = t->tasks.n; i-- > 0;) {
		struct trace_task *task = &t->tasks.task[i];

		if (task->waits && !task->born && (task->announced || is_orphan(t, task)) &&
		    report_birth(t, task, out))
			return true;
	}
	return false;
}

/* Detaches from a stopped task, and adds a task that it has just created: the new task will stop,
 * too, and must be detached. */
static void detach_stopped(struct trace *t, pid_t pid, int status)
{
	struct trace_task *task;
	unsigned long made;

	if (is_creation(status) && !t->sys->message(t->sys, pid, &made) &&
	    !trace_list_find(&t->tasks, (pid_t)made))
		trace_list_add(&t->tasks, (pid_t)made);
	request(t, PTRACE_DETACH, pid, status >> 16 ? 0 : WSTOPSIG(status));
	task = trace_list_find(&t->tasks, pid);
	if (task)
		trace_list_drop(&t->tasks, task);
}

/* Returns whether a task has ended. Reaps it unless it is `kept`, which the caller waits for. */
static bool has_ended(const struct trace *t, pid_t task)
{
	siginfo_t info;
	int status;

	if (task == t->kept)
		return !t->sys->wait(t->sys, task, &info, WEXITED | WNOHANG | WNOWAIT) &&
		       info.si_pid;
	if (t->sys->wait(t->sys, task, &info, WEXITED | WNOHANG | WNOWAIT))
		return true;
	return info.si_pid && t->sys->take(t->sys, task, &status, WNOHANG) > 0;
}

/* Detaches from all stopped tasks. Looks for stops of any task, which the zombie `kept` does not
 * have. */
static void detach_all_stopped(struct trace *t)
{
	siginfo_t info;

	while (!t->sys->wait(t->sys, -1, &info, WSTOPPED | WNOHANG) && info.si_pid)
		detach_stopped(t, info.si_pid, trace_status(&info));
	for (size_t i = t->tasks.n; i-- > 0;)
		if (has_ended(t, t->tasks.task[i].task))
			trace_list_drop(&t->tasks, &t->tasks.task[i]);
}

void trace_continue(struct trace *t)
{
	struct trace_task *task = trace_list_find(&t->tasks, t->held);

	if (task)
		request(t, task->stopped ? PTRACE_LISTEN : PTRACE_CONT, task->task, 0);
	if (task)
		task->stopped = false;
	t->held = 0;
}

bool trace_next(struct trace *t, struct trace_event *out)
{
	int status;
	pid_t pid;

	if (t->detaching) {
		detach_all_stopped(t);
		return false;
	}
	trace_continue(t);
	while ((pid = next_change(t, &status)) > 0)
		if (on_change(t, pid, status, out))
			return true;
	seize_missed(t);
	return report_orphan(t, out);
}

void trace_detach(struct trace *t)
{
	const struct trace_task *task = trace_list_find(&t->tasks, t->held);

	if (!task)
		return;
	request(t, PTRACE_DETACH, t->held, 0);
	trace_list_drop(&t->tasks, task);
	t->held = 0;
}

/* Returns whether a task will stop soon. Two kinds of tasks will not: a leader that has ended,
 * which stays in the list as long as other threads of its process; and a task in vfork(2), which
 * stops only after its child. */
static bool is_any_stopping(const struct trace *t)
{
	struct task_status status;

	for (size_t i = 0; i < t->tasks.n; i++)
		if (!t->sys->status(t->sys, t->tasks.task[i].task, &status) &&
		    !strchr("ZXD", status.state))
			return true;
	return false;
}

void trace_detach_all(struct trace *t)
{
	t->detaching = true;
	for (size_t i = t->tasks.n; i-- > 0;) {
		const struct trace_task *task = &t->tasks.task[i];

		if (task->task == t->held || (task->waits && !task->born))
			detach_stopped(t, task->task, 0);
		else
			request(t, PTRACE_INTERRUPT, task->task, 0);
	}
	for (detach_all_stopped(t); is_any_stopping(t); detach_all_stopped(t))
		sched_yield();
}

void trace_done(struct trace *t)
{
	trace_detach_all(t);
	trace_list_done(&t->tasks);
	*t = (struct trace){.sys = t->sys,
			    .children = t->children,
			    .kept = t->kept,
			    .kept_ended = t->kept_ended};
}
