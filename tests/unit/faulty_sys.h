/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A perf_sys in which one call fails, or all from one on; the others are passed to an inner one. */
#ifndef FAULTY_SYS_H
#define FAULTY_SYS_H

#include <stdbool.h>

#include "pmu/perf/sys.h"

struct fault_plan {
	long n;            /* calls so far, of any kind, or of `kind` if that is set */
	long fail_at;      /* the call that fails, from 1; 0: none */
	const char *kind;  /* NULL: calls of any kind count */
	bool from_then_on; /* all later ones fail, too */
	int error;
	bool reached;
};

/* Counts a call, and returns whether it shall fail. */
bool fault_now(struct fault_plan *plan, const char *kind);

struct faulty_sys {
	struct perf_sys sys;
	struct perf_sys *inner;
	struct fault_plan *plan;
};

void faulty_sys_init(struct faulty_sys *f, struct perf_sys *inner, struct fault_plan *plan);

#endif
