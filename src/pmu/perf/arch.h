/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * arch - the differences between processor architectures. The only file of this layer with #if.
 */
#ifndef PMU_PERF_ARCH_H
#define PMU_PERF_ARCH_H

#include <stdbool.h>
#include <stdint.h>

/* The registers that the CPUID instruction of x86 returns for one leaf. */
struct arch_cpuid {
	uint32_t eax, ebx, ecx, edx;
};

/* Whether the kernel may accept that an event excludes modes, and count in them all the same:
 * RISC-V's counters of cycles and instructions without the extension Smcntrpmf, and some emulated
 * CPUs. */
#if defined(__riscv) || defined(__powerpc__)
#define ARCH_MODES_MAY_BE_IGNORED true
#else
#define ARCH_MODES_MAY_BE_IGNORED false
#endif

#if defined(__x86_64__) || defined(__i386__)

#ifndef __cpuid /* the header of GCC before 11 has no include guard */
#include <cpuid.h>
#endif

#define ARCH_NAME "x86"

/* Reads DisplayFamily and DisplayModel, as the CPUID instruction (leaf 1) defines them: Intel SDM,
 * volume 2, CPUID. */
static inline bool arch_read_model(uint32_t *family, uint32_t *model)
{
	uint32_t eax, ebx, ecx, edx, base;

	if (!__get_cpuid(1, &eax, &ebx, &ecx, &edx))
		return false;
	base = eax >> 8 & 0xf;
	*family = base == 0xf ? base + (eax >> 20 & 0xff) : base;
	*model = eax >> 4 & 0xf;
	if (base == 0x6 || base == 0xf)
		*model |= eax >> 12 & 0xf0;
	return true;
}

/* Returns -1, unknown: steppings are ignored on x86. */
static inline int arch_read_revision(void)
{
	return -1;
}

/* Reads a leaf of CPUID on the current CPU; all 0 if the CPU lacks the leaf. Returns false if the
 * architecture has no CPUID. */
static inline bool arch_read_cpuid(uint32_t leaf, struct arch_cpuid *r)
{
	if (!__get_cpuid_count(leaf, 0, &r->eax, &r->ebx, &r->ecx, &r->edx))
		*r = (struct arch_cpuid){0, 0, 0, 0};
	return true;
}

#elif defined(__aarch64__)

#include <fcntl.h>
#include <stdlib.h>

#include "base/file.h"

#define ARCH_NAME "arm64"

/* Returns the Main ID Register of CPU 0 (Arm ARM, MIDR_EL1); 0: unknown. */
static inline uint64_t arch_read_midr(void)
{
	char text[32];

	if (file_read(AT_FDCWD, "/sys/devices/system/cpu/cpu0/regs/identification/midr_el1", text,
		      sizeof text) <= 0)
		return 0;
	return strtoull(text, NULL, 16);
}

/* Reads the implementer (family) and the part number (model). */
static inline bool arch_read_model(uint32_t *family, uint32_t *model)
{
	uint64_t midr = arch_read_midr();

	*family = midr >> 24 & 0xff;
	*model = midr >> 4 & 0xfff;
	return midr;
}

/* Returns variant and revision: 0x03 is r0p3; -1: unknown. */
static inline int arch_read_revision(void)
{
	uint64_t midr = arch_read_midr();

	return midr ? (int)(midr >> 16 & 0xf0) | (int)(midr & 0xf) : -1;
}

/* Returns false: Arm has no CPUID. The number of counters is in the register PMCR_EL0, which user
 * space cannot read. */
static inline bool arch_read_cpuid(uint32_t leaf, struct arch_cpuid *r)
{
	(void)leaf, (void)r;
	return false;
}

#else

#define ARCH_NAME "other"

static inline bool arch_read_model(uint32_t *family, uint32_t *model)
{
	(void)family, (void)model;
	return false;
}

static inline int arch_read_revision(void)
{
	return -1;
}

static inline bool arch_read_cpuid(uint32_t leaf, struct arch_cpuid *r)
{
	(void)leaf, (void)r;
	return false;
}

#endif

#endif
