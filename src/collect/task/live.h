/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * live - the source of samples of the tasks of the running machine. A refresh has three steps, each
 * as cheap as possible:
 *
 *   1. find new processes among the pids assigned since the last refresh; of a tenth
 *      of the processes, another tenth at each refresh, read owner and command line of those that
 *      ran;
 *   2. find the processes that have run, by the CPU clock of each: one system call, no file; or, of
 *      processes that sleep for long, by the page of an event, without a system call (sleeping.h);
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
