/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "session/target.h"

#include <errno.h>
#include <fcntl.h>
#include <pwd.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/file.h"
#include "base/mem.h"
#include "collect/task/proc_file.h"
#include "pmu/check/task_status.h"
#include "pmu/perf/affinity.h"

/* Returns the start time of the task, in ns since the boot; 0: the task does not exist. */
static uint64_t read_start_ns(const struct live_task *task)
{
	const struct proc_units units = {.tick_ns = 1000000000u / (uint64_t)sysconf(_SC_CLK_TCK)};
	struct proc_facts facts = {.start_ns = 0};
	char path[64], text[1024];

	snprintf(path, sizeof path, "/proc/%d/task/%d/stat", task->pid, task->id);
	if (file_read(AT_FDCWD, path, text, sizeof text) <= 0 ||
	    proc_parse_stat(text, &units, &facts))
		return 0;
	return facts.start_ns;
}

static bool is_same(const struct live_task *task)
{
	return read_start_ns(task) == task->start_ns;
}

static void add(struct targets *t, const struct live_task *task)
{
	int fd = (int)syscall(SYS_pidfd_open, task->pid, 0);

	/* The start time is checked after the pidfd was opened, so that the pid cannot be reused in
	 * between. */
	if ((fd < 0 && errno == ESRCH) || !is_same(task)) {
		if (fd >= 0)
			close(fd);
		return;
	}
	t->v = xgrow(t->v, &t->cap, t->n + 1, sizeof *t->v);
	t->v[t->n++] = (struct target){*task, fd};
}

void targets_take(struct targets *t, const struct live_task *tasks, size_t n)
{
	targets_release(t);
	for (size_t i = 0; i < n; i++)
		add(t, &tasks[i]);
}

void targets_release(struct targets *t)
{
	for (size_t i = 0; i < t->n; i++)
		if (t->v[i].fd >= 0)
			close(t->v[i].fd);
	free(t->v);
	*t = (struct targets){.n = 0};
}

const struct target *targets_find(const struct targets *t, long pid)
{
	for (size_t i = 0; i < t->n; i++)
		if (t->v[i].task.pid == pid)
			return &t->v[i];
	return NULL;
}

static int say_ended(const struct live_task *task, struct err *err)
{
	return err_set(err, ESRCH, "%d has ended", task->id);
}

/* Sets the sentence with the owner of the task and the capability needed. Returns -EPERM, or -ESRCH
 * if the task has exited. */
static int say_denied(const struct live_task *task, const char *what, const char *capability,
		      struct err *err)
{
	struct task_status status;
	const struct passwd *pw;

	if (task_status_read(task->id, &status))
		return say_ended(task, err);
	if (status.uid == (long)geteuid())
		return err_set(err, EPERM, "%s %d is not allowed: that takes %s", what, task->id,
			       capability);
	pw = getpwuid((uid_t)status.uid);
	return err_set(err, EPERM,
		       "%s %d is not allowed: it belongs to %s, and tasks of others take %s", what,
		       task->id, pw ? pw->pw_name : "another user", capability);
}

static int send_signal(const struct target *t, int signal)
{
	if (t->fd >= 0)
		return (int)syscall(SYS_pidfd_send_signal, t->fd, signal, NULL, 0);
	if (!is_same(&t->task)) {
		errno = ESRCH;
		return -1;
	}
	return kill(t->task.pid, signal);
}

int target_say_denied(const struct target *t, int signal, struct err *err)
{
	char what[48];

	snprintf(what, sizeof what, "sending signal %d to", signal);
	return say_denied(&t->task, what, "CAP_KILL", err);
}

int target_signal(const struct target *t, int signal, struct err *err)
{
	if (!send_signal(t, signal))
		return 0;
	if (errno == ESRCH)
		return say_ended(&t->task, err);
	if (errno == EPERM)
		return target_say_denied(t, signal, err);
	return err_set(err, errno, "signal %d cannot be sent to %d: %s", signal, t->task.pid,
		       strerror(errno));
}

/* Calls act() for the thread, or for all threads of the process, also for those that start
 * meanwhile; ignores threads that exit. Returns 0 or -errno. */
static int each_thread(const struct target *t, int (*act)(int tid, const void *how),
		       const void *how)
{
	int before = -1, n = 0;

	if (!is_same(&t->task))
		return -ESRCH;
	if (!t->task.whole)
		return act(t->task.id, how) ? -errno : 0;
	while (n != before) {
		struct folder folder;
		const char *name;
		int failed = 0;

		before = n;
		n = folder_open(&folder, "/proc/%d/task", t->task.pid);
		if (n <= 0)
			return -ESRCH;
		while ((name = folder_next(&folder)))
			if (!failed && act((int)strtol(name, NULL, 10), how) && errno != ESRCH)
				failed = errno;
		if (failed)
			return -failed;
	}
	return 0;
}

static int set_thread_nice(int tid, const void *how)
{
	return setpriority(PRIO_PROCESS, (id_t)tid, *(const int *)how);
}

int target_nice(const struct target *t, int *nice, struct err *err)
{
	errno = 0;
	*nice = getpriority(PRIO_PROCESS, (id_t)t->task.id);
	if (errno || !is_same(&t->task))
		return say_ended(&t->task, err);
	return 0;
}

int target_set_nice(const struct target *t, int nice, struct err *err)
{
	char what[64];
	int ret, before;

	if (target_nice(t, &before, err))
		return -ESRCH;
	ret = each_thread(t, set_thread_nice, &nice);
	if (ret == -ESRCH)
		return say_ended(&t->task, err);
	snprintf(what, sizeof what, "the nice value %d, in place of %d, for", nice, before);
	if (ret == -EPERM || ret == -EACCES)
		return say_denied(&t->task, what, "CAP_SYS_NICE", err);
	if (ret)
		return err_set(err, -ret, "the nice value of %d cannot be set: %s", t->task.id,
			       strerror(-ret));
	return 0;
}

static void add_range(struct strbuf *out, int first, int last)
{
	strbuf_addf(out, "%s%d", out->len ? "," : "", first);
	if (last > first)
		strbuf_addf(out, "-%d", last);
}

int target_cpus(const struct target *t, struct strbuf *out, struct err *err)
{
	struct cpu_list cpus;
	int first = -1;

	memset(&cpus, 0, sizeof cpus);
	if (sched_getaffinity(t->task.id, sizeof cpus, cpus.set) || !is_same(&t->task))
		return say_ended(&t->task, err);
	for (int cpu = 0; cpu <= AFFINITY_CPUS; cpu++) {
		bool set = cpu < AFFINITY_CPUS && CPU_ISSET_S((size_t)cpu, sizeof cpus, cpus.set);

		if (set && first < 0)
			first = cpu;
		if (!set && first >= 0) {
			add_range(out, first, cpu - 1);
			first = -1;
		}
	}
	return 0;
}

static int set_thread_cpus(int tid, const void *how)
{
	return sched_setaffinity(tid, sizeof(struct cpu_list), ((const struct cpu_list *)how)->set);
}

int target_set_cpus(const struct target *t, const char *list, struct err *err)
{
	struct cpu_list cpus;
	int ret;

	if (!cpu_list_is(list))
		return err_set(err, EINVAL, "'%s' is not a list of CPUs: write one as 0-3,8", list);
	cpu_list_parse(&cpus, list);
	ret = each_thread(t, set_thread_cpus, &cpus);
	if (ret == -ESRCH)
		return say_ended(&t->task, err);
	if (ret == -EPERM)
		return say_denied(&t->task, "choosing the CPUs of", "CAP_SYS_NICE", err);
	if (ret == -EINVAL)
		return err_set(err, EINVAL,
			       "%d may run on none of the CPUs %s: they are not there, "
			       "or its control group does not have them",
			       t->task.id, list);
	if (ret)
		return err_set(err, -ret, "the CPUs of %d cannot be set: %s", t->task.id,
			       strerror(-ret));
	return 0;
}
