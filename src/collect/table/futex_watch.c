/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "collect/table/futex_watch.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>

#include "base/clock.h"
#include "base/mem.h"
#include "collect/table/running_tasks.h"
#include "pmu/check/refusal.h"
#include "pmu/event/sysfs.h"
#include "pmu/perf/core.h"
#include "pmu/perf/sys.h"
#include "pmu/perf/syscalls.h"

/* The system calls; the first one exists on all kernels. futex_waitv came with Linux 5.16, the
 * others with Linux 6.7. */
static const char *const calls[] = {"futex", "futex_wait", "futex_waitv", "futex_wake",
				    "futex_requeue"};
#define N_CALLS (sizeof calls / sizeof *calls)

struct futex_watch {
	struct syscalls *syscalls;
	struct futex_table *table;
	struct futex_watch_gaps gaps;
	size_t n_tasks; /* created */
};

static int find_id(uint64_t *id, const struct event_host *host, const char *side, const char *call,
		   struct err *err)
{
	char *name = xasprintf("syscalls:sys_%s_%s", side, call);
	struct event e = {.name = NULL};
	const int ret = event_sysfs_tracepoint(&e, host, name, err);

	*id = e.config;
	free(name);
	return ret;
}

/* Finds the tracepoints. Returns their number, or -errno with a sentence. */
static int find_tracepoints(struct syscall_tracepoints *of, const struct event_host *host,
			    struct err *err)
{
	struct err why = ERR_INIT;
	int n = 0;

	for (size_t i = 0; i < N_CALLS; i++) {
		int ret = find_id(&of[n].enter, host, "enter", calls[i], &why);

		if (!ret)
			ret = find_id(&of[n].exit, host, "exit", calls[i], &why);
		if (ret && !i)
			return err_set(err, -ret,
				       "--kernel: %s; or root lists it in %s, as the service "
				       "tiptop-tracepoints does",
				       why.text, host->tracepoints);
		n += !ret;
	}
	return n;
}

static int explain(int ret, pid_t tid, struct err *err)
{
	const struct refusal_attempt attempt = {
		.event = "syscalls:sys_enter_futex", .tid = tid, .fewer = "leave out --kernel"};

	switch (ret) {
	case -ENOBUFS:
		return err_set(err, ENOBUFS,
			       "--kernel: the memory that may be locked is too small for a ring of "
			       "each CPU: raise 'ulimit -l' or kernel.perf_event_mlock_kb");
	case -ENOTSUP:
		return err_set(err, ENOTSUP, "--kernel does not work on machines of 32 bits");
	default:
		return refusal_explain(ret, &attempt, err);
	}
}

static struct futex_watch *new_watch(struct syscalls *syscalls, const struct futex_table_options *o)
{
	struct futex_watch *w = xcalloc(1, sizeof *w);

	*w = (struct futex_watch){.syscalls = syscalls, .table = futex_table_new(o)};
	return w;
}

int futex_watch_open(struct futex_watch **out, struct perf_sys *sys, const struct event_host *host,
		     const struct futex_table_options *o, struct err *err)
{
	struct syscall_tracepoints of[N_CALLS];
	const int n = find_tracepoints(of, host, err);
	struct syscalls *syscalls;
	int ret;

	if (n < 0)
		return n;
	/* Each CPU needs two descriptors for each call, and one more. The command has been
	 * created, so it does not inherit the limit. */
	perf_raise_limit();
	ret = syscalls_open(
		&syscalls, sys, cpu_numbers_end(CPUS_PRESENT), o->command,
		&(struct syscalls_choice){
			.of = of, .n = (size_t)n, .n_recorded = (size_t)n, .children = o->all});
	if (ret)
		return explain(ret, o->command, err);
	*out = new_watch(syscalls, o);
	return 0;
}

/* Returns the time up to which the next call has all records. */
static uint64_t read_records(struct futex_watch *w, bool is_last)
{
	const uint64_t now_ns = clock_ns(CLOCK_MONOTONIC);
	struct syscall_record record;

	syscalls_update(w->syscalls, now_ns, is_last);
	while (syscalls_next(w->syscalls, &record)) {
		futex_table_add(w->table, &record);
		w->n_tasks += record.what == SYSCALLS_FORK;
	}
	if (w->n_tasks > FUTEX_WATCH_TASKS)
		syscalls_stop_unused(w->syscalls);
	return now_ns;
}

uint64_t futex_watch_settle(struct futex_watch *w)
{
	const uint64_t complete_ns = read_records(w, false);

	read_records(w, false);
	return complete_ns;
}

void futex_watch_update(struct futex_watch *w)
{
	read_records(w, false);
}

int futex_watch_fd(const struct futex_watch *w, size_t i)
{
	return i < syscalls_n_fds(w->syscalls) ? syscalls_fd(w->syscalls, i) : -1;
}

void futex_watch_end(struct futex_watch *w)
{
	read_records(w, true);
	futex_table_end(w->table, clock_ns(CLOCK_MONOTONIC));
}

struct futex_table *futex_watch_table(const struct futex_watch *w)
{
	return w->table;
}

uint64_t futex_watch_unrecorded(const struct futex_watch *w)
{
	return syscalls_n_unrecorded(w->syscalls);
}

uint64_t futex_watch_unpaired(const struct futex_watch *w)
{
	return futex_table_unpaired(w->table) + futex_watch_unrecorded(w);
}

uint64_t futex_watch_lost(const struct futex_watch *w)
{
	return syscalls_losses(w->syscalls).records;
}

void futex_watch_close(struct futex_watch *w)
{
	if (!w)
		return;
	syscalls_close(w->syscalls);
	futex_table_free(w->table);
	free(w);
}

/* ---- running processes ---- */

/* How often the tasks are listed until none has begun meanwhile. */
#define ATTEMPTS 8

/* Opens the tracepoints for all tasks; some may have ended. */
static int open_tasks(struct syscalls **out, struct perf_sys *sys,
		      const struct running_tasks *tasks, const struct syscalls_choice *choice)
{
	const int n_cpus = cpu_numbers_end(CPUS_PRESENT);
	int ret = -ESRCH;

	*out = NULL;
	for (size_t i = 0; i < tasks->n; i++) {
		const pid_t tid = tasks->task[i].tid;

		ret = *out ? syscalls_add_task(*out, tid)
			   : syscalls_open(out, sys, n_cpus, tid, choice);
		if (ret && ret != -ESRCH)
			break;
		ret = *out ? 0 : ret;
	}
	if (ret)
		syscalls_close(*out);
	return ret;
}

/* Returns how many tasks have begun since the list was made: it is unknown whether they have
 * inherited all tracepoints. */
static size_t count_new(const struct running_tasks *tasks, const struct futex_table_options *o)
{
	struct running_tasks now;
	size_t n = 0;

	running_tasks_list(&now, o->command, o->all);
	for (size_t i = 0; i < now.n; i++)
		n += !running_tasks_has(tasks, now.task[i].tid);
	running_tasks_done(&now);
	return n;
}

/* Opens the tracepoints for all tasks, again if further ones have begun meanwhile. Sets the list of
 * tasks, and how many were missed in the last attempt. */
static int open_running(struct syscalls **out, struct perf_sys *sys, struct running_tasks *tasks,
			const struct futex_table_options *o, const struct syscalls_choice *choice,
			size_t *n_missed)
{
	struct syscalls_choice chosen = *choice;
	int ret = 0;

	for (int i = 0; i < ATTEMPTS; i++) {
		running_tasks_list(tasks, o->command, o->all);
		chosen.n_recorded = tasks->n > FUTEX_WATCH_TASKS ? 1 : choice->n;
		ret = open_tasks(out, sys, tasks, &chosen);
		*n_missed = ret ? 0 : count_new(tasks, o);
		if (ret || !*n_missed || i == ATTEMPTS - 1)
			return ret;
		syscalls_close(*out);
		running_tasks_done(tasks);
	}
	return ret;
}

/* Returns 0; or -errno with a sentence if this is no process. */
static int check_process(pid_t pid, struct err *err)
{
	struct task_status status;

	if (task_status_read(pid, &status))
		return 0;
	if (status.process != pid)
		return err_set(err, EINVAL,
			       "--kernel: %d is a thread of the process %d: give the number of "
			       "the process",
			       (int)pid, status.process);
	return status.state == 'Z'
		       ? err_set(err, ESRCH, "--kernel: the process %d has ended", (int)pid)
		       : 0;
}

static int explain_running(int ret, const struct running_tasks *tasks, pid_t pid, struct err *err)
{
	if (ret == -ESRCH)
		return err_set(err, ESRCH, "--kernel: there is no process %d", (int)pid);
	if (ret == -EMFILE || ret == -ENFILE)
		return err_set(err, -ret,
			       "--kernel: the %zu threads of the process %d need more open files "
			       "than are allowed, as each has some for each CPU: raise 'ulimit -n'",
			       tasks->n, (int)pid);
	return explain(ret, pid, err);
}

int futex_watch_attach(struct futex_watch **out, struct perf_sys *sys,
		       const struct event_host *host, const struct futex_table_options *o,
		       struct err *err)
{
	struct syscall_tracepoints of[N_CALLS];
	const int n = find_tracepoints(of, host, err);
	struct running_tasks tasks;
	struct running_calls found;
	struct syscalls *syscalls;
	size_t n_missed;
	int ret;

	if (n < 0)
		return n;
	ret = check_process(o->command, err);
	if (ret)
		return ret;
	perf_raise_limit();
	ret = open_running(&syscalls, sys, &tasks, o,
			   &(struct syscalls_choice){.of = of, .n = (size_t)n, .children = o->all},
			   &n_missed);
	if (!ret) {
		*out = new_watch(syscalls, o);
		found = running_tasks_describe(&tasks, (*out)->table, clock_ns(CLOCK_MONOTONIC));
		(*out)->gaps = (struct futex_watch_gaps){.n_seen = found.n,
							 .n_unread = found.n_unread,
							 .n_missed = n_missed,
							 .no_children = tasks.no_children};
	} else {
		ret = explain_running(ret, &tasks, o->command, err);
	}
	running_tasks_done(&tasks);
	return ret;
}

const struct futex_watch_gaps *futex_watch_gaps(const struct futex_watch *w)
{
	return &w->gaps;
}
