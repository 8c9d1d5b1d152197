/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * cpu - identifies a CPU model in the form that tiptoprc files use: arch="x86" model="06_2A".
 */
#ifndef PMU_EVENT_CPU_H
#define PMU_EVENT_CPU_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The vendor whose events the CPU has. For all Arm CPUs, of whatever company, this is CPU_ARM,
 * since the architecture defines the events. */
enum cpu_vendor { CPU_OTHER, CPU_INTEL, CPU_AMD, CPU_ARM };

struct cpu_id {
	char arch[16]; /* "x86", "arm64" */
	/* x86: DisplayFamily_DisplayModel, "06_2A". arm64: implementer and part number of MIDR,
	 * then R with variant and revision: "41_D49_R03" for r0p3. All hexadecimal; "": unknown. */
	char model[16];
	uint8_t vendor; /* enum cpu_vendor */
};

/* Identifies the CPU on which this thread runs; the vendor is from CPUID if the architecture has
 * it. */
void cpu_identify(struct cpu_id *id);
/* Returns the vendor with this name in CPUID: "GenuineIntel". */
enum cpu_vendor cpu_vendor_named(const char *name);
/* Parses "ARCH:MODEL" ("x86:06_2A", "arm64:41_D0C_R31"); sets the vendor by the family. Returns
 * false if the text has another form. */
bool cpu_parse(struct cpu_id *id, const char *text);

/* Returns whether the CPU matches this pattern, "06_1A", regardless of case. '?' stands for any
 * digit: "19_6?". A pattern without a revision matches all revisions. A pattern for a whole family
 * of x86, "06_??", matches only CPUs of the vendor that uses the family today: "12_??" matches
 * Intel's CPUs, not AMD's older ones. A CPU with an unknown model matches no pattern. */
bool cpu_fits(const struct cpu_id *id, const char *pattern, size_t len);

#endif
