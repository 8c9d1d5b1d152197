/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * sample_machine - the machine that a sample was taken on, as far as its numbers depend on it.
 *
 * It never changes, and lives as long as somebody holds a reference. Each sample of a source has
 * the same one. A sample that does not know its machine has none.
 */
#ifndef MODEL_SAMPLE_MACHINE_H
#define MODEL_SAMPLE_MACHINE_H

#include <stdint.h>

/* No text is NULL; "" is not known. */
struct sample_machine {
	uint32_t refs;
	int n_cores;             /* kinds of cores that the kernel describes; 0: none */
	long ticks_per_s;        /* ticks of the clock in which the kernel keeps some times */
	const char *arch;        /* "x86" */
	const char *model;       /* "06_97", as in a tiptoprc */
	const char *boot_id;     /* of the kernel: another one at each boot */
	const char *host;        /* what it is called among others: its node name */
	const char *const *core; /* [n_cores] the PMU of each kind, the fastest first */
	/* [n_cpus] the kind of cores that each CPU is of; where n_cpus is 0, all are of one, or
	 * that is not known. */
	const uint8_t *cpu_kind;
	int n_cpus;
	const char *const *pmu; /* all PMUs, in the order of their names; ended by NULL */
};

/* Copies what `from` says, into one block of memory with one reference. */
struct sample_machine *sample_machine_new(const struct sample_machine *from);
/* The kind of cores that a CPU is of; 0 where that is not known. machine may be NULL. */
int sample_machine_kind(const struct sample_machine *machine, int cpu);
/* NULL is fine, and gives NULL. */
struct sample_machine *sample_machine_ref(const struct sample_machine *machine);
void sample_machine_unref(const struct sample_machine *machine);

#endif
