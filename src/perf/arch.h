/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * arch - what differs from one processor architecture to the next. The only file of this layer with #if.
 */
#ifndef PERF_ARCH_H
#define PERF_ARCH_H

#include <stdbool.h>
#include <stdint.h>

#if defined(__x86_64__) || defined(__i386__)

#include <cpuid.h>

#define ARCH_NAME "x86"

/* DisplayFamily and DisplayModel, as the CPUID instruction (leaf 1) defines them: Intel SDM, volume 2, CPUID. */
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

#elif defined(__aarch64__)

#include <fcntl.h>
#include <stdlib.h>

#include "base/file.h"

#define ARCH_NAME "arm64"

/* Implementer and part number of the Main ID Register of CPU 0: Arm ARM, MIDR_EL1. */
static inline bool arch_read_model(uint32_t *family, uint32_t *model)
{
	char text[32];
	uint64_t midr;

	if (file_read(AT_FDCWD, "/sys/devices/system/cpu/cpu0/regs/identification/midr_el1", text, sizeof text) <= 0)
		return false;
	midr = strtoull(text, NULL, 16);
	*family = midr >> 24 & 0xff;
	*model = midr >> 4 & 0xfff;
	return true;
}

#else

#define ARCH_NAME "other"

static inline bool arch_read_model(uint32_t *family, uint32_t *model)
{
	(void)family, (void)model;
	return false;
}

#endif

#endif
