/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * core - the kinds of cores that a machine has, each with a PMU of its own, and binding this thread
 * to a core of some kind.
 *
 * Most machines have one kind. A hybrid one has several: an event of one kind counts nothing while
 * the task is on a core of another kind.
 *
 * affinity_visit() binds this thread to a CPU of some kind for a short time (sched_setaffinity(2)).
 * affinity_return() restores the mask. A thread that was bound to some CPUs is bound to the
 * same CPUs again. A thread that was not bound can run on all CPUs of its cpuset again, also on
 * those that come online later. Errors are -errno, without a sentence.
 */
#ifndef PMU_PERF_CORE_H
#define PMU_PERF_CORE_H

#include <sched.h>
#include <stdbool.h>
#include <stdint.h>

/* The largest number of CPUs that Linux can be built for. */
#define AFFINITY_CPUS 8192

struct cpu_list {
	cpu_set_t set[AFFINITY_CPUS / CPU_SETSIZE];
};

/* Returns whether a text of the user is a CPU list: numbers or ranges, separated by commas. */
bool cpu_list_is(const char *text);
/* Parses a list as the kernel writes it in sysfs: "0-3,8". Ignores everything from the first syntax
 * error on. */
void cpu_list_parse(struct cpu_list *list, const char *text);
bool cpu_list_has(const struct cpu_list *list, int cpu);

#define CPUS_PRESENT "/sys/devices/system/cpu/present"
/* Returns the highest number of a CPU of this machine, plus 1. The numbers may have gaps, so it may
 * be larger than the number of CPUs. path: CPUS_PRESENT, or the file of a test. If the file cannot
 * be read, returns the number of configured CPUs. */
int cpu_numbers_end(const char *path);

struct affinity {
	/* affinity_visit() has bound the thread to another CPU. */
	bool away;
	struct cpu_list home; /* if away: the CPUs on which the thread could run before */
};

/* Binds this thread to one of the listed CPUs on which it could run before the first visit. Returns
 * 0; -ENODEV: it could run on none of them; other -errno as from sched_setaffinity(2). After an
 * error the affinity is unchanged. */
int affinity_visit(struct affinity *a, const struct cpu_list *cpus);
/* Restores the affinity from before the first visit. Returns 0 or -errno. */
int affinity_return(struct affinity *a);

#define CORES_MAX 4

/* In place of the index of a kind of cores: none, as for a software event. */
#define EVENT_NO_CORE (-1)

struct core_pmu {
	char name[32]; /* the name of the PMU in sysfs */
	uint32_t type; /* perf_event_attr.type */
	/* The CPUs on which the PMU counts; empty if there is only one kind of cores and sysfs does
	 * not list its CPUs. */
	struct cpu_list cpus;
};

#endif
