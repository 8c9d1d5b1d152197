/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * probe - finds out what this machine, kernel and user allow, by reading /proc and by opening
 * events on tiptop itself.
 */
#ifndef PMU_CHECK_PROBE_H
#define PMU_CHECK_PROBE_H

#include <stdbool.h>
#include <stdint.h>

#include "pmu/event/machine.h"
#include "pmu/perf/sys.h"

/* Returns kernel.perf_event_paranoid; PROBE_PARANOID_UNKNOWN: it cannot be read. */
#define PROBE_PARANOID_UNKNOWN (-100)
int probe_paranoid(void);

/* Returns a number from /proc/self/status. field: the name of the field, without the ':'; base: of
 * the number, 10 or 16. Returns 0 if there is no such field. */
uint64_t probe_status(const char *field, int base);

/* Returns whether this process may count tasks of other users, as root or with CAP_PERFMON or
 * CAP_SYS_ADMIN. */
bool probe_may_count_others(void);

/* Opens a software event on tiptop itself, which tests the rights without a PMU. kernel: count in
 * the kernel, too; inherit: count new threads, too. Returns 0 or -errno. */
int probe_software(struct perf_sys *sys, bool kernel, bool inherit);

/* Returns whether this kernel reports the final counts of each task that ends (pmu/perf/ring.h).
 * To find out, starts a process whose child ends, and looks for the record of the child. Takes
 * about 1 ms. */
bool probe_finals(struct perf_sys *sys);

/* Returns the size of the largest group, at most `max`, that the kernel opens on this kind of
 * cores; its events alternate between cycles and instructions. 0: no event can be opened. */
int probe_group(struct perf_sys *sys, const struct machine *m, int core, int max);
/* Returns how many of n events (at most EVENT_SET_MAX), alternating between cycles and
 * instructions, can be on the PMU together now, while other programs may hold counters. */
int probe_group_now(struct perf_sys *sys, const struct machine *m, int core, int n);

#endif
