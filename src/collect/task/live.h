/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * live - the source of samples of the tasks of the running machine. A refresh has three steps, each
 * as cheap as possible:
 *
 *   1. find new processes among the pids assigned since the last refresh; update owner and command
 *      line of processes that ran, of a tenth of these per refresh;
 *   2. find the processes that have run, by the CPU clock of each: one system call, no file;
 *   3. read facts and counters of these processes only (live_process.h).
 *
 * A process that has ended, or is a zombie, is sampled once more with its final counts, as dead.
 */
#ifndef COLLECT_TASK_LIVE_H
#define COLLECT_TASK_LIVE_H

#include "collect/source.h"
#include "collect/task/proc.h"
#include "pmu/perf/sys.h"

/* Creates the source. sys and proc are borrowed and must outlive it. machine: the description of
 * the machine for its samples, of which a reference is taken; NULL: none. */
struct source *source_live_new(struct perf_sys *sys, struct proc *proc,
			       const struct sample_machine *machine);

#endif
