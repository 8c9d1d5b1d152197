/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * core - the kinds of cores that a machine has, each with a PMU of its own.
 *
 * Most machines have one kind. A hybrid one has several: an event of one kind counts nothing while
 * the task is on a core of another.
 */
#ifndef PERF_CORE_H
#define PERF_CORE_H

#include <stdint.h>

#include "perf/affinity.h"

#define CORES_MAX 4

/* In place of the index of a kind: none of them. */
#define EVENT_NO_CORE (-1)

struct core_pmu {
	char name[32]; /* as in sysfs */
	uint32_t type; /* perf_event_attr.type */
	/* That it counts; empty where there is one kind only, and sysfs does not say. */
	struct cpu_list cpus;
};

#endif
