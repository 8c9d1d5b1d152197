/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * cpus - samples of the CPUs of the running machine: what each of them counts, whoever runs on it.
 *
 * Each CPU that is online is a row. Its counters are enabled all the time, in idle, too, so that
 * its CPU time is that of /proc/stat, in clock ticks: user mode (with guests) and kernel (with
 * interrupts), without what is stolen.
 *
 * A CPU that goes offline is sampled once more with its final counts, as dead; descriptors of
 * it would stand still. When it comes back it is another row (start_ns), whose counters are opened
 * anew.
 *
 * On a hybrid machine a CPU has the events of its own kind of cores. Of those of other kinds it has
 * counted nothing, in no time, as a task has that was never there.
 */
#ifndef SOURCE_CPUS_CPUS_H
#define SOURCE_CPUS_CPUS_H

#include "event/machine.h"
#include "perf/sys.h"
#include "source/live/proc.h"
#include "source/source.h"

/* The machine, seen through these two seams, which must outlive the source, as must `machine`. What
 * samples say of it is `told`, of which a reference is taken; NULL: nothing. only: the CPUs that
 * are wanted; NULL: all. */
struct source *source_cpus_new(struct perf_sys *sys, struct proc *proc,
			       const struct machine *machine, const struct sample_machine *told,
			       const struct cpu_list *only);

#endif
