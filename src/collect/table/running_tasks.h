/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * running_tasks - the tasks of processes that run already, and from /proc what the kernel would
 * have recorded of them before (pmu/perf/syscalls.h): their names, the files that they have mapped,
 * and the calls of futex(2) that they are in.
 */
#ifndef COLLECT_TABLE_RUNNING_TASKS_H
#define COLLECT_TABLE_RUNNING_TASKS_H

#include <stdbool.h>
#include <stddef.h>

#include "collect/task/proc.h"
#include "profile/locks/futex_table.h"

struct running_tasks {
	struct pid_list process; /* the first one is that which was asked for */
	/* [task.n] The tasks in the order of their numbers, and the process of each. */
	struct running_task {
		int tid, pid;
	} * task;
	size_t n, cap;
	bool no_children; /* the kernel does not list child processes */
};

/* The calls of futex(2) of the tasks. */
struct running_calls {
	size_t n;        /* tasks in such a call, whose beginning is unknown */
	size_t n_unread; /* tasks whose call this user may not read */
};

/* Lists the tasks of a process; with its descendants if `all`. */
void running_tasks_list(struct running_tasks *r, int pid, bool all);
bool running_tasks_has(const struct running_tasks *r, int tid);
/* Adds the records to the table. now_ns: CLOCK_MONOTONIC before the call. */
struct running_calls running_tasks_describe(const struct running_tasks *r, struct futex_table *to,
					    uint64_t now_ns);
void running_tasks_done(struct running_tasks *r);

#endif
