/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * trace_refusal - explains in a sentence why ptrace(2) refuses to attach to a task (EPERM).
 *
 * The kernel does not report the reason. Therefore, tiptop collects facts about the task
 * afterwards, and tests them one after the other: the first fact that forbids tracing is the
 * reason.
 */
#ifndef PMU_CHECK_TRACE_REFUSAL_H
#define PMU_CHECK_TRACE_REFUSAL_H

#include <stdbool.h>

#include "base/err.h"

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
