/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * core - the kinds of cores that a machine has, each with a PMU of its own.
 *
 * Most machines have one kind. A hybrid one has several: an event of one kind counts nothing while
 * the task is on a core of another kind.
 */
#ifndef PMU_PERF_CORE_H
#define PMU_PERF_CORE_H

#include <stdint.h>

#include "pmu/perf/affinity.h"

#define CORES_MAX 4

/* In place of the index of a kind of cores: none, as for a software event. */
#define EVENT_NO_CORE (-1)

struct core_pmu {
	char name[32]; /* the name of the PMU in sysfs */
	uint32_t type; /* perf_event_attr.type */
	/* The CPUs on which the PMU counts; empty if there is only one kind of cores and sysfs does
	 * not list its CPUs. */
	struct cpu_list cpus;
};

#endif
