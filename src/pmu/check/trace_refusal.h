/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * trace_refusal - explains in a sentence why ptrace(2) refuses to attach to a task (EPERM).
 *
 * The kernel does not report the reason. So it is found out afterwards, in the order of struct
 * trace_facts: the first fact that forbids tracing is the cause.
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
	long uid, user; /* of the task; of tiptop */
	bool readable;  /* the user has permission to read the file of tiptop */
};

/* Finds out all but the first two. A task without a status in /proc has ended. */
void trace_facts_read(struct trace_facts *f);
/* Sets err to the sentence. Returns -EPERM. */
int trace_refusal_explain(const struct trace_facts *f, struct err *err);

#endif
