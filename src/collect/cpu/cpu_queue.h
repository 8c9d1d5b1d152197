/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * cpu_queue - how long tasks have waited in the run queue of each CPU: /proc/schedstat, which
 * kernels have that were built with CONFIG_SCHEDSTATS (Documentation/scheduler/sched-stats.rst).
 *
 * Each wait is added when it ends: once the task runs, or is moved to another CPU. So an interval
 * may have more of it than its own length for each task that waits.
 */
#ifndef COLLECT_CPU_CPU_QUEUE_H
#define COLLECT_CPU_CPU_QUEUE_H

#include <stdint.h>

#include "base/mem.h"

struct cpu_queue {
	int cpu;
	uint64_t waited_ns; /* the sum over the tasks, since boot */
};

/* Parses the text. Returns how many CPUs it has, in their order, which lie in the arena; -EINVAL:
 * it is not of the format. */
int cpu_queues_parse(const char *text, const struct cpu_queue **out, struct arena *arena);
/* The same of this machine. -errno: it cannot be read; -ENOENT: the kernel was built without it. */
int cpu_queues_read(const struct cpu_queue **out, struct arena *arena);
/* Finds a CPU among n; NULL: it is not there. */
const struct cpu_queue *cpu_queue_find(const struct cpu_queue *queue, int n, int cpu);

#endif
