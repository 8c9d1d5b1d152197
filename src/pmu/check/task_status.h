/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * task_status - reads /proc/TID/status of one task, a process or a thread, that the user has named,
 * and explains in a sentence why ptrace(2) refuses to attach to it (EPERM).
 *
 * The file is read with the capabilities of the program (privilege.h), since with the mount option
 * hidepid, /proc shows users only their own tasks.
 *
 * The kernel does not report why it refuses. Therefore, tiptop collects facts about the task
 * afterwards, and tests them one after the other: the first fact that forbids tracing is the
 * reason.
 */
#ifndef PMU_CHECK_TASK_STATUS_H
#define PMU_CHECK_TASK_STATUS_H

#include <stdbool.h>

#include "base/err.h"

struct task_status {
	char state;  /* R S D T Z ... */
	int process; /* the process that the task belongs to */
	int parent;  /* the parent of `process` */
	long uid;    /* the effective user id */
	int tracer;  /* the process that traces the task by ptrace(2); 0: none */
	bool kernel; /* a kernel thread, which has no memory of its own */
};

/* Reads the status. Returns 0, or -errno if it cannot be read: the task does not exist, or is
 * hidden. */
int task_status_read(int tid, struct task_status *out);

/* ---- refusals of ptrace(2) ---- */

struct trace_facts {
	int task;
	bool command; /* the task is a child of tiptop that waits before its execve(2) */
	bool ended;   /* the task is a zombie, or gone */
	bool kernel;  /* the task is a kernel thread */
	int tracer;   /* the process that traces the task; 0: none */
	char tracer_name[16];
	int scope;      /* kernel.yama.ptrace_scope; 0 without Yama */
	bool root;      /* tiptop runs as root */
	long uid, user; /* effective user ids of the task and of tiptop */
	bool readable;  /* the user has permission to read the file of tiptop */
};

/* Fills in all fields but `task` and `command`, which the caller sets. A task without a status file
 * in /proc has ended. */
void trace_facts_read(struct trace_facts *f);
/* Sets err to a sentence with the first fact that forbids tracing. Returns -EPERM. */
int trace_refusal_explain(const struct trace_facts *f, struct err *err);

#endif
