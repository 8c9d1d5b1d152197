/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * probe - what this machine, kernel and user allow, found out by asking: numbers of /proc, and
 * events that are opened on tiptop itself.
 */
#ifndef PMU_CHECK_PROBE_H
#define PMU_CHECK_PROBE_H

#include <stdbool.h>
#include <stdint.h>

#include "pmu/event/machine.h"
#include "pmu/perf/sys.h"

/* kernel.perf_event_paranoid; PROBE_PARANOID_UNKNOWN where it cannot be read. */
#define PROBE_PARANOID_UNKNOWN (-100)
int probe_paranoid(void);

/* Reads a number of /proc/self/status; field: its name there without the ':'. 0 where there is no
 * such field. */
uint64_t probe_status(const char *field, int base);

/* Bits of the field CapEff: capabilities(7). */
enum probe_cap {
	CAP_SYS_PTRACE_BIT = 19,
	CAP_SYS_ADMIN_BIT = 21,
	CAP_SYS_RESOURCE_BIT = 24,
	CAP_PERFMON_BIT = 38
};

/* Whether this process may count other users' tasks: root, CAP_PERFMON or CAP_SYS_ADMIN. */
bool probe_may_count_others(void);

/* Opens a software event on tiptop itself, to learn what it has the rights for: no PMU is needed
 * for it. kernel: counted in the kernel, too; inherit: counted for threads to come, too. 0 or
 * -errno. */
int probe_software(struct perf_sys *sys, bool kernel, bool inherit);

/* Whether this kernel tells what each task that ends has counted (pmu/perf/finals.h): a child makes
 * one that ends, whose end has to be there. It takes a ms. */
bool probe_finals(struct perf_sys *sys);

/* The largest group of cycles and instructions, in turn, that the kernel takes on this kind of
 * cores; at most `max` events, 0: none. */
int probe_group(struct perf_sys *sys, const struct machine *m, int core, int max);
/* How many of n such events (at most EVENT_SET_MAX) are on the PMU together now, as others may hold
 * counters. */
int probe_group_now(struct perf_sys *sys, const struct machine *m, int core, int n);

#endif
