/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * cpus - samples of the CPUs of the running machine: what each of them counts, whoever runs on it.
 *
 * Each CPU that is online is a row. Its counters are enabled all the time, in idle, too, so that
 * its CPU time is that of /proc/stat, in clock ticks: user mode (with guests) and kernel (with
 * interrupts), without what is stolen. What it did in the rest of the time stands there, too, and
 * is told of the CPU as a whole, not of a mode or a control group; as is the time that tasks waited
 * in its run queue, which is read where it is wanted.
 *
 * A CPU that goes offline is sampled once more with its final counts, as dead; descriptors of
 * it would stand still. When it comes back it is another row (start_ns), whose counters are opened
 * anew.
 *
 * On a hybrid machine a CPU has the events of its own kind of cores. Of those of other kinds it has
 * counted nothing, in no time, as a task has that was never there.
 */
#ifndef COLLECT_CPU_CPUS_H
#define COLLECT_CPU_CPUS_H

#include <stdint.h>

#include "base/mem.h"
#include "collect/source.h"
#include "collect/task/proc.h"
#include "model/kinds.h"
#include "pmu/event/machine.h"
#include "pmu/perf/sys.h"

/* ---- cpu queue ----
 *
 * How long tasks have waited in the run queue of each CPU: /proc/schedstat, which
 * kernels have that were built with CONFIG_SCHEDSTATS (Documentation/scheduler/sched-stats.rst).
 *
 * Each wait is added when it ends: once the task runs, or is moved to another CPU. So an interval
 * may have more of it than its own length for each task that waits.
 */

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

/* ---- cpus ---- */

/* What of them is counted; all zeros: everything. */
struct cpus_scope {
	const struct cpu_list *only; /* the CPUs that are wanted; NULL: all. Borrowed */
	/* Only while a task of this control group is on the CPU: the time for which counters are
	 * enabled is then its CPU time. */
	bool of_group;
	int group_fd;       /* where of_group; borrowed */
	enum cpu_mode mode; /* its rows are these modes of CPUs, with their times */
	/* Reads what tasks have waited in the run queues; NULL: cpu_queues_read(). */
	int (*queues)(const struct cpu_queue **out, struct arena *arena);
};

/* The machine, seen through these two seams, which must outlive the source, as must `machine`. What
 * samples say of it is `told`, of which a reference is taken; NULL: nothing. scope: NULL:
 * everything. */
struct source *source_cpus_new(struct perf_sys *sys, struct proc *proc,
			       const struct machine *machine, const struct sample_machine *told,
			       const struct cpus_scope *scope);

#endif
