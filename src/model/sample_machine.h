/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * sample_machine - the properties of the machine of a sample on which its numbers depend.
 *
 * It never changes, and has a reference count. All samples of a source share one. A NULL pointer
 * means that the machine is unknown.
 */
#ifndef MODEL_SAMPLE_MACHINE_H
#define MODEL_SAMPLE_MACHINE_H

#include <stdint.h>

/* The resource that two CPUs, and so the tasks on them, share; a higher value is closer. */
enum sample_share {
	SHARE_NOTHING, /* nothing, or unknown */
	SHARE_NODE,    /* a NUMA node */
	SHARE_L3,
	SHARE_L2,
	SHARE_CORE,
	SHARE_CPU, /* both are the same CPU */
};

/* The place of a CPU. */
struct sample_place {
	/* Indexed by enum sample_share, from SHARE_NODE to SHARE_CORE: the first of the CPUs that
	 * share this resource; -1: unknown. */
	int16_t first[SHARE_CPU];
};

/* No text is NULL; "" is unknown. */
struct sample_machine {
	uint32_t refs;
	int n_cores;       /* kinds of cores in sysfs; 0: none */
	long ticks_per_s;  /* clock ticks per second (USER_HZ), the unit of some times of the kernel
			    */
	const char *arch;  /* "x86" */
	const char *model; /* "06_97", as in a tiptoprc */
	const char *boot_id;     /* the kernel's boot id, which differs after each boot */
	const char *host;        /* its node name */
	const char *const *core; /* [n_cores] the PMU of each kind, the fastest first */
	/* [n_cpus] the kind of cores of each CPU; n_cpus 0: a single kind, or unknown. */
	const uint8_t *cpu_kind;
	int n_cpus;
	/* [n_places] the place of each CPU; n_places 0: unknown. */
	const struct sample_place *place;
	int n_places;
	const char *const *pmu; /* all PMUs, sorted by name, terminated by NULL */
};

/* Copies `from` into one block of memory with one reference. */
struct sample_machine *sample_machine_new(const struct sample_machine *from);
/* Returns the kind of cores of a CPU; 0: unknown. machine may be NULL. */
int sample_machine_kind(const struct sample_machine *machine, int cpu);
/* Returns the closest resource that two CPUs share. machine may be NULL. */
enum sample_share sample_machine_share(const struct sample_machine *machine, int a, int b);
/* Takes a reference and returns the machine; NULL for NULL. */
struct sample_machine *sample_machine_ref(const struct sample_machine *machine);
void sample_machine_unref(const struct sample_machine *machine);

#endif
