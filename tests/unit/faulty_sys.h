/* SPDX-License-Identifier: GPL-2.0-or-later */
/* faulty_sys - a perf_sys in which one call fails, or all from one call on. Other calls are passed
 * to an inner perf_sys. */
#ifndef FAULTY_SYS_H
#define FAULTY_SYS_H

#include <stdbool.h>

#include "pmu/perf/sys.h"

struct fault_plan {
	long n;            /* calls so far: of any kind, or of `kind` if set */
	long fail_at;      /* number of the call that fails, from 1; 0: none */
	const char *kind;  /* NULL: calls of any kind count */
	bool from_then_on; /* all later calls fail, too */
	int error;
	bool reached;
};

/* Counts a call. Returns whether it must fail. */
bool fault_now(struct fault_plan *plan, const char *kind);

struct faulty_sys {
	struct perf_sys sys;
	struct perf_sys *inner;
	struct fault_plan *plan;
};

void faulty_sys_init(struct faulty_sys *f, struct perf_sys *inner, struct fault_plan *plan);

#endif
