/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * cpus - samples of the CPUs of the running machine, with all that runs on them.
 *
 * Each online CPU is a row. Its counters are always enabled, in idle, too; so its CPU time is that
 * of /proc/stat, in clock ticks: user mode (with guests) and kernel (with interrupts), without
 * stolen time. Idle time, iowait and stolen time are facts of the CPU as a whole, not of rows of
 * one mode or of a control group; and so is the time that tasks waited in its run queue, which is
 * read only if it is wanted.
 *
 * A CPU that goes offline is sampled once more with its final counts, as dead; its descriptors
 * would not count again. When it comes back it is another row (start_ns), with new counters.
 *
 * On a hybrid machine a CPU has the events of its own kind of cores. Events of other kinds have a
 * count of 0 in no running time, as for a task that was never on such a core.
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
 * The time that tasks have waited in the run queue of each CPU, from /proc/schedstat of kernels
 * built with CONFIG_SCHEDSTATS (Documentation/scheduler/sched-stats.rst).
 *
 * A wait is added when it ends: when the task runs, or is moved to another CPU. So an interval may
 * have more of it than its own length for each task that waits.
 */

struct cpu_queue {
	int cpu;
	uint64_t waited_ns; /* sum over the tasks, since boot */
};

/* Parses the text into an array in the arena, in the order of the text. Returns the number of CPUs;
 * -EINVAL: another format. */
int cpu_queues_parse(const char *text, const struct cpu_queue **out, struct arena *arena);
/* Reads and parses /proc/schedstat. Returns the number of CPUs, or -errno; -ENOENT: the kernel was
 * built without it. */
int cpu_queues_read(const struct cpu_queue **out, struct arena *arena);
/* Returns the entry of a CPU among n; NULL: none. */
const struct cpu_queue *cpu_queue_find(const struct cpu_queue *queue, int n, int cpu);

/* ---- cpus ---- */

/* The part of the machine to count; all zeros: everything. */
struct cpus_scope {
	const struct cpu_list *only; /* the CPUs to count; NULL: all; borrowed */
	/* Count only while a task of this control group is on the CPU: the enabled time of the
	 * counters is then its CPU time. */
	bool of_group;
	int group_fd;       /* valid if of_group; borrowed */
	enum cpu_mode mode; /* rows are this mode of the CPUs, with its times */
	/* Reads the run queues; NULL: cpu_queues_read(). */
	int (*queues)(const struct cpu_queue **out, struct arena *arena);
};

/* Creates the source. sys, proc and machine must outlive it. told: the machine for the samples, of
 * which a reference is taken; NULL: none. scope: NULL: everything. */
struct source *source_cpus_new(struct perf_sys *sys, struct proc *proc,
			       const struct machine *machine, const struct sample_machine *told,
			       const struct cpus_scope *scope);

#endif
