/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * pmuv3 - the common events of Arm's PMUv3, and which of them a PMU implements.
 *
 * Arm defines the numbers 0x00 to 0x3f and 0x4000 to 0x403f for all CPUs; the registers PMCEID0 and
 * PMCEID1 have a bit for each that the PMU implements. The kernel opens any number, and one that is
 * not implemented counts 0. Of the numbers for which the kernel has a name, it lists in sysfs only
 * those whose bit is set: armv8pmu_event_attr_is_visible(), in drivers/perf/arm_pmuv3.c of Linux
 * 6.8 and arch/arm64/kernel/perf_event.c before 6.4. So an event whose name is not listed is not
 * implemented, whether it is selected by name or by number.
 *
 * For the other numbers, it is unknown whether the PMU implements them: SW_INCR (0x00, no longer
 * listed, since users cannot make it count: Linux 6.8) and CHAIN (0x1e, never listed); numbers for
 * which the running kernel has no name; all numbers outside of the two ranges, for which PMCEID has
 * no bits; and all numbers if the PMU lists nothing.
 */
#ifndef PMU_EVENT_PMUV3_H
#define PMU_EVENT_PMUV3_H

#include "pmu/event/sysfs.h"

/* Returns the number and name of a common event that the PMU with this name does not implement:
 * "0x03 (L1D_CACHE_REFILL)"; NULL: the PMU implements the event, or it is unknown whether it does.
 * config: as in perf_event_attr. */
const char *pmuv3_lacking(const struct event_host *host, const char *pmu, uint64_t config);

/* Returns -ENOENT, with a sentence, if `lacking`, a result of pmuv3_lacking() for the event `name`,
 * is not NULL; else 0. */
int pmuv3_refuse(const char *lacking, const char *name, struct err *err);

#endif
