/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * cpu - which processor this is, in the words of a tiptoprc: arch="x86" model="06_2A".
 */
#ifndef PMU_EVENT_CPU_H
#define PMU_EVENT_CPU_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Whose events the CPU has. On Arm they are those of the architecture, whoever made the CPU. */
enum cpu_vendor { CPU_OTHER, CPU_INTEL, CPU_AMD, CPU_ARM };

struct cpu_id {
	char arch[16]; /* "x86", "arm64" */
	/* x86: DisplayFamily_DisplayModel, "06_2A". arm64: implementer and part number of MIDR,
	 * then variant and revision behind R: "41_D49_R03" for r0p3. All hexadecimal; "" where
	 * unknown. */
	char model[16];
	uint8_t vendor; /* enum cpu_vendor */
};

/* Tells the CPU that this runs on; its vendor is the one that it names itself. */
void cpu_identify(struct cpu_id *id);
/* The vendor by the name that a CPU of x86 has for it: "GenuineIntel". */
enum cpu_vendor cpu_vendor_named(const char *name);
/* Makes the CPU that the text "ARCH:MODEL" names ("x86:06_2A", "arm64:41_D0C_R31"), with the vendor
 * that its family tells. False where the text has another form. */
bool cpu_parse(struct cpu_id *id, const char *text);

/* Whether the CPU is of this model, "06_1A". '?' stands for any one digit: "19_6?";
 * without a revision, a model is that of any. All of a family of x86, "06_??", are those of the
 * vendor that has it: 12_01 is Intel's, and was AMD's. Case does not matter. A CPU whose model is
 * unknown is of none. */
bool cpu_fits(const struct cpu_id *id, const char *pattern, size_t len);

#endif
