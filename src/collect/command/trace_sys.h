/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * trace_sys - the kernel interface of a tracer, as a struct of functions.
 *
 * trace.h calls the kernel through a struct trace_sys. A test can put a scripted kernel in its
 * place, which reports stops and ends in any order that is legal. Such a kernel embeds the struct
 * as its first member and finds its own state through `self`.
 *
 * All functions return -errno on failure.
 */
#ifndef COLLECT_COMMAND_TRACE_SYS_H
#define COLLECT_COMMAND_TRACE_SYS_H

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "pmu/check/task_status.h"

/* IDs of tasks; free() the array. */
struct trace_tasks {
	pid_t *task; /* [n] */
	size_t n, cap;
};

struct trace_sys {
	/* ptrace(2) with a number as data: the options of PTRACE_SEIZE, the signal of PTRACE_CONT
	 * and PTRACE_DETACH. */
	int (*request)(struct trace_sys *self, int request, pid_t task, unsigned long number);
	/* PTRACE_GETEVENTMSG */
	int (*message)(struct trace_sys *self, pid_t task, unsigned long *out);
	/* waitpid(2) with __WALL. task -1: any. */
	pid_t (*take)(struct trace_sys *self, pid_t task, int *status, int options);
	/* waitid(2) with __WALL. task -1: any. */
	int (*wait)(struct trace_sys *self, pid_t task, siginfo_t *out, int options);
	bool (*is_thread)(struct trace_sys *self, pid_t task, pid_t process);
	int (*status)(struct trace_sys *self, pid_t task, struct task_status *out);
	/* threads() adds the threads of a process to *out, children() the children of a task. */
	int (*threads)(struct trace_sys *self, pid_t process, struct trace_tasks *out);
	int (*children)(struct trace_sys *self, pid_t task, struct trace_tasks *out);
};

/* Returns the status that waitpid(2) would have returned for this result of waitid(2). */
int trace_status(const siginfo_t *info);

/* Returns the interface to the kernel of this machine. */
struct trace_sys trace_kernel(void);

#endif
