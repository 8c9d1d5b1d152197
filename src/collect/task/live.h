/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * live - samples of the running machine, in three steps that cost as little as they can:
 *
 *   1. who is there: newcomers by the pids given since the last look, the rest in slices;
 *   2. who ran: the CPU clock of each process, one system call without any file;
 *   3. only for those: their facts and counters (counting.c).
 *
 * A process that has ended, or is a zombie, is sampled once more with its final counts, as dead.
 */
#ifndef COLLECT_TASK_LIVE_H
#define COLLECT_TASK_LIVE_H

#include "collect/source.h"
#include "collect/task/proc.h"
#include "pmu/perf/sys.h"

/* The machine, seen through these two seams, which must outlive the source. What samples say of it
 * is `machine`, of which a reference is taken; NULL: nothing. */
struct source *source_live_new(struct perf_sys *sys, struct proc *proc,
			       const struct sample_machine *machine);

#endif
