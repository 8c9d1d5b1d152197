/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * cpuid_bits - describes leaf 0xA of CPUID, field by field: Intel SDM, volume 2, CPUID,
 * "Architectural Performance Monitoring Leaf".
 */
#ifndef PMU_CHECK_CPUID_BITS_H
#define PMU_CHECK_CPUID_BITS_H

#include "pmu/perf/arch.h"

/* Is called for one field. bits: its register and bits, "EAX 7:0". text: the meaning of the value,
 * a sentence without a full stop; valid during the call. */
typedef void (*cpuid_bits_visit)(void *context, const char *bits, uint32_t value, const char *text);

/* Calls visit for each field that the version of the leaf has, and for each architectural event
 * that is missing; not at all if the version is 0: the CPU has no architectural monitoring.
 * Pure. */
void cpuid_bits_each(const struct arch_cpuid *leaf_a, cpuid_bits_visit visit, void *context);

#endif
