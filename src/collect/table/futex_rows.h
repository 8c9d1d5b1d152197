/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * futex_rows - a source for the calls of futex(2) that the kernel records of running processes
 * (futex_watch.h): a row for each futex and caller of each program.
 *
 * The rows are those of locks (profile_rows.h). The records are also read between two samples, by
 * collect(), as the kernel's rings have room for some seconds only. The rows of a program that has
 * ended, or whose process has executed another one, are sampled once more with their final numbers.
 *
 * What is missing is logged: calls that had begun before, and records that the kernel has lost.
 */
#ifndef COLLECT_TABLE_FUTEX_ROWS_H
#define COLLECT_TABLE_FUTEX_ROWS_H

#include "collect/source.h"
#include "collect/table/futex_watch.h"
#include "collect/task/proc.h"
#include "pmu/event/machine.h"

/* The processes whose calls are recorded. */
struct futexes_target {
	pid_t pid;
	bool runs; /* it runs already; else it has not executed its program yet */
	bool all;  /* its descendants, too */
	struct perf_sys *sys;
	const struct event_host *host; /* where the ids of tracepoints are found */
};

/* Opens the tracepoints and creates the source. Borrows proc and machine; takes a reference to
 * `description`. Returns as futex_watch_attach() does. */
int source_futexes_new(struct source **out, const struct futexes_target *target, struct proc *proc,
		       const struct machine *machine, const struct sample_machine *description,
		       struct err *err);

#endif
