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

/* What two CPUs share, and so those that run on them; the more, the higher. */
enum sample_share {
	SHARE_NOTHING, /* or nothing that is known of */
	SHARE_NODE,    /* a node of memory */
	SHARE_L3,
	SHARE_L2,
	SHARE_CORE,
	SHARE_CPU, /* they are the same */
};

/* Where a CPU is. */
struct sample_place {
	/* From SHARE_NODE on, of what it shares: the first CPU that has it; -1: not known. */
	int16_t first[SHARE_CPU];
};

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
	/* [n_places] where each CPU is; where n_places is 0, that is not known. */
	const struct sample_place *place;
	int n_places;
	const char *const *pmu; /* all PMUs, in the order of their names; ended by NULL */
};

/* Copies what `from` says, into one block of memory with one reference. */
struct sample_machine *sample_machine_new(const struct sample_machine *from);
/* The kind of cores that a CPU is of; 0 where that is not known. machine may be NULL. */
int sample_machine_kind(const struct sample_machine *machine, int cpu);
/* The most that two CPUs share. machine may be NULL. */
enum sample_share sample_machine_share(const struct sample_machine *machine, int a, int b);
/* NULL is fine, and gives NULL. */
struct sample_machine *sample_machine_ref(const struct sample_machine *machine);
void sample_machine_unref(const struct sample_machine *machine);

#endif
