/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * affinity - being on a CPU of some kind for a moment: sched_setaffinity(2) of this
 * thread, and back.
 *
 * The way back leaves no trace: a thread that might run wherever its cpuset allows may so again,
 * also on CPUs that come later; one that was bound is bound to the same CPUs.
 */
#ifndef PMU_PERF_AFFINITY_H
#define PMU_PERF_AFFINITY_H

#include <sched.h>
#include <stdbool.h>

/* As many as Linux can be built for. */
#define AFFINITY_CPUS 8192

struct cpu_list {
	cpu_set_t set[AFFINITY_CPUS / CPU_SETSIZE];
};

/* Whether a text of a user is such a list: numbers, or ranges of two, with commas between. */
bool cpu_list_is(const char *text);
/* Reads a list as the kernel writes it in sysfs: "0-3,8". What is behind the first fault is left
 * out. */
void cpu_list_parse(struct cpu_list *list, const char *text);
bool cpu_list_has(const struct cpu_list *list, int cpu);

struct affinity {
	bool away;
	struct cpu_list home; /* while away: the CPUs on which the thread might run before */
};

/* Moves this thread onto one of the listed CPUs, if it might run there before. -ENODEV: it might
 * run on none of them; other -errno as sched_setaffinity(2) has them. After an error the thread is
 * where it was. */
int affinity_visit(struct affinity *a, const struct cpu_list *cpus);
/* Lets the thread run again wherever it might before the first visit. 0 or -errno. */
int affinity_return(struct affinity *a);

#endif
