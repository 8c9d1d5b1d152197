/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "collect/table/futex_watch.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/mem.h"
#include "pmu/check/refusal.h"
#include "pmu/event/sysfs.h"
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
	uint64_t n_lost;
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
	ret = syscalls_open(&syscalls, sys, (int)sysconf(_SC_NPROCESSORS_CONF), o->command, of,
			    (size_t)n);
	if (ret)
		return explain(ret, o->command, err);
	*out = xcalloc(1, sizeof **out);
	**out = (struct futex_watch){.syscalls = syscalls, .table = futex_table_new(o)};
	return 0;
}

static void read_records(struct futex_watch *w, bool is_last)
{
	struct syscall_record record;

	syscalls_update(w->syscalls, clock_ns(CLOCK_MONOTONIC), is_last);
	while (syscalls_next(w->syscalls, &record))
		futex_table_add(w->table, &record);
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
	w->n_lost = syscalls_losses(w->syscalls).records;
}

struct futex_table *futex_watch_table(const struct futex_watch *w)
{
	return w->table;
}

uint64_t futex_watch_lost(const struct futex_watch *w)
{
	return w->n_lost;
}

void futex_watch_close(struct futex_watch *w)
{
	if (!w)
		return;
	syscalls_close(w->syscalls);
	futex_table_free(w->table);
	free(w);
}
