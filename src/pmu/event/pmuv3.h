/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * pmuv3 - the common events of Arm's PMUv3, and which of them a PMU implements.
 *
 * Arm gives the numbers 0x00 to 0x3f and 0x4000 to 0x403f one meaning on all CPUs; the registers
 * PMCEID0 and PMCEID1 have a bit for each that the PMU implements. The kernel opens any number, and
 * one that is not implemented counts 0. Of the numbers that the kernel has a name for, it lists in
 * sysfs those alone whose bit is set: armv8pmu_event_attr_is_visible(), in drivers/perf/arm_pmuv3.c
 * of Linux 6.8 and arch/arm64/kernel/perf_event.c before 6.4. So a name that is not listed tells
 * that the event is not implemented, by whatever name or number it is wanted.
 *
 * Nothing is known of the others: SW_INCR (0x00, no longer listed, since users
 * cannot make it count: Linux 6.8) and CHAIN (0x1e, never listed); numbers that the running kernel
 * has no name for; everything outside of the two ranges, which is up to the maker of the CPU; and
 * all numbers where the PMU lists nothing.
 */
#ifndef PMU_EVENT_PMUV3_H
#define PMU_EVENT_PMUV3_H

#include "pmu/event/sysfs.h"

/* Returns the number and the name of a common event that the PMU of this name does not implement:
 * "0x03 (L1D_CACHE_REFILL)"; NULL where it implements the event, or nothing is known of it.
 * config: as in perf_event_attr. */
const char *pmuv3_lacking(const struct event_host *host, const char *pmu, uint64_t config);

/* Returns -ENOENT, with the sentence for an event of this name that its PMU lacks, as
 * pmuv3_lacking() has it; 0 where that is NULL. */
int pmuv3_refuse(const char *lacking, const char *name, struct err *err);

#endif
