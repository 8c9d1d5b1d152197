/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * core - the kinds of cores that a machine has, each with a PMU of its own.
 *
 * Most machines have one kind. A hybrid one has several: an event of one kind counts nothing while
 * the task is on a core of another.
 */
#ifndef PMU_PERF_CORE_H
#define PMU_PERF_CORE_H

#include <stdint.h>

#include "pmu/perf/affinity.h"

#define CORES_MAX 4

/* Stands for no kind of cores, in place of an index. */
#define EVENT_NO_CORE (-1)

struct core_pmu {
	char name[32]; /* as sysfs calls it */
	uint32_t type; /* perf_event_attr.type */
	/* On which it counts; empty where there is one kind of cores only, and sysfs does not
	 * say. */
	struct cpu_list cpus;
};

#endif
