/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * live - samples of the running machine, in three steps, each as cheap as possible:
 *
 *   1. find the tasks: new processes among the pids given since the last refresh, others in slices;
 *   2. find which have run: the CPU clock of each process, one system call without any file;
 *   3. read only these: their facts and counters (counting.c).
 *
 * A process that has ended, or is a zombie, is sampled once more with its final counts, as dead.
 */
#ifndef COLLECT_TASK_LIVE_H
#define COLLECT_TASK_LIVE_H

#include "collect/source.h"
#include "collect/task/proc.h"
#include "pmu/perf/sys.h"

/* Creates the source. sys and proc are borrowed and must outlive it. machine: the machine for the
 * samples, of which a reference is taken; NULL: none. */
struct source *source_live_new(struct perf_sys *sys, struct proc *proc,
			       const struct sample_machine *machine);

#endif
