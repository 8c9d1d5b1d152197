/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * cpus - a source with a row for each CPU of the running machine, which counts everything that runs
 * on that CPU, or with two rows, for user mode and for the kernel; all of it, or while tasks of one
 * control group run.
 *
 * Each online CPU is a row. Its counters are enabled all the time, even while the CPU is idle, so
 * its CPU time is not their enabled time. It is read from /proc/stat, in clock ticks: user mode
 * (with guests) and kernel (with interrupts), without stolen time. Idle time, iowait, stolen time
 * and the time that tasks waited in its run queue are known for the CPU as a whole only: rows of
 * one mode or of a control group do not have these facts. The run queues are read only if this
 * waiting time is wanted.
 *
 * A CPU that goes offline is sampled once more with its final counts, as dead. When it comes back,
 * its old counters would not count any more: it becomes another row (start_ns), with new counters.
 *
 * On a hybrid machine a CPU has the events of its own kind of cores. Events of other kinds have
 * count 0 and running time 0, like those of a task that never ran on such a core.
 */
#ifndef COLLECT_CPU_CPUS_H
#define COLLECT_CPU_CPUS_H

#include <stdint.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/strbuf.h"
#include "collect/source.h"
#include "collect/task/group_file.h"
#include "collect/task/proc.h"
#include "model/kinds.h"
#include "pmu/event/machine.h"
#include "pmu/perf/sys.h"

/* ---- place ----
 *
 * The core and socket of a CPU, from sysfs, and the kind of its core.
 */

struct place {
	long core;   /* number of the first CPU of the core; -1: unknown */
	long socket; /* -1: unknown */
	int kind;    /* index of machine.core; -1: unknown */
};

void place_find(struct place *out, const struct machine *machine, int cpu);
/* Appends the place for people: "socket 0, core 2 (cpu_atom)"; "?" if neither socket nor core is
 * known. */
void place_add(struct strbuf *out, const struct machine *machine, const struct place *place);

/* ---- control group ----
 *
 * Opens the control group to which CPU counters are limited.
 *
 * The group is looked up in the hierarchy that counts events: the perf_event hierarchy of version 1
 * if it is mounted, else the unified one.
 */

/* Opens the folder of a group; the caller closes it. path: as in /proc/PID/cgroup, or with the
 * mount point before it. Returns the descriptor, or -errno with a sentence. */
int cgroup_open(const struct group_mounts *mounts, const char *path, struct err *err);
/* Opens the folder of a group as cgroup_open(), with the mount points of the running machine. */
int cgroup_open_here(const char *path, struct err *err);

/* ---- cpu queue ----
 *
 * The time that tasks have waited in the run queue of each CPU, from /proc/schedstat of kernels
 * built with CONFIG_SCHEDSTATS (Documentation/scheduler/sched-stats.rst).
 *
 * The kernel adds a wait when it ends: when the task runs, or is moved to another CPU. So the
 * waiting time in an interval may exceed the length of the interval even if only one task waited.
 */

struct cpu_queue {
	int cpu;
	uint64_t waited_ns; /* sum over all tasks, in ns since boot */
};

/* Parses the text of /proc/schedstat into an array in the arena, in the order of the text. Returns
 * the number of CPUs; -EINVAL: another format. */
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
	/* Count only while a task of the control group group_fd is on the CPU: the enabled time of
	 * the counters is then the CPU time of the group. */
	bool of_group;
	int group_fd;       /* valid if of_group; borrowed */
	enum cpu_mode mode; /* count this mode only; rows have the CPU time of this mode */
	/* Reads the run queues; NULL: cpu_queues_read(). */
	int (*queues)(const struct cpu_queue **out, struct arena *arena);
};

/* Creates the source. sys, proc and machine must outlive it. description: that of the machine
 * for its samples, of which a reference is taken; NULL: none. scope: NULL: everything. */
struct source *source_cpus_new(struct perf_sys *sys, struct proc *proc,
			       const struct machine *machine,
			       const struct sample_machine *description,
			       const struct cpus_scope *scope);

/* ---- modes ----
 *
 * A source with two rows for each CPU of the running machine: one for user mode and one for the
 * kernel.
 *
 * The two rows of a CPU have separate counters. Both are on the PMU at the same time, or are
 * multiplexed if the PMU has too few counters.
 */

/* Creates the source. Parameters as for source_cpus_new(), but scope must not be NULL, and its mode
 * is ignored. */
struct source *source_modes_new(struct perf_sys *sys, struct proc *proc,
				const struct machine *machine,
				const struct sample_machine *description,
				const struct cpus_scope *scope);

#endif
