/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * trace_refusal - why ptrace(2) refuses to attach to a task (EPERM), in a sentence.
 *
 * The kernel does not say why; so that is found out behind it, in the order of struct trace_facts:
 * the first one that forbids it is the cause.
 */
#ifndef PMU_CHECK_TRACE_REFUSAL_H
#define PMU_CHECK_TRACE_REFUSAL_H

#include <stdbool.h>

#include "base/err.h"

struct trace_facts {
	int task;
	bool command; /* it is a child that waits before its execve(2) */
	bool ended;   /* it is a zombie */
	bool kernel;  /* it is a thread of the kernel */
	int tracer;   /* the process that traces it; 0: none */
	char tracer_name[16];
	int scope;      /* kernel.yama.ptrace_scope; 0 without Yama */
	bool root;      /* who runs tiptop */
	long uid, user; /* of the task, and of who runs tiptop */
	bool readable;  /* the user may read the file of tiptop */
};

/* Finds out all but the first two. A task of which /proc tells nothing has ended. */
void trace_facts_read(struct trace_facts *f);
/* Returns -EPERM. */
int trace_refusal_explain(const struct trace_facts *f, struct err *err);

#endif
