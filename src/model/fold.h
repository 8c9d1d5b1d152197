/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * fold - folds the rows of threads into one row per process.
 *
 * Counts, times, rates and per-thread facts are sums over the threads; the other facts and the name
 * are the leader's. If threads have different sets of events, the row has the join of the sets, and
 * the sum of an event that a thread lacks is partial. A process has a row if at least one of its
 * threads has a row.
 *
 * Ownership: the result points into the delta of the threads, and is valid as long as that delta.
 */
#ifndef MODEL_FOLD_H
#define MODEL_FOLD_H

#include "model/delta.h"

/* Folds threads to processes: out gets one row per process, in the order of in. */
void fold_processes(struct delta *out, const struct delta *in);
/* Folds n tasks of one process, sample.task[first ...]. row: the first row in the delta that
 * belongs to one of these tasks; NULL: all are idle. At most row[0] to row[n - 1] belong to the
 * process. */
void fold_range(struct delta_row *out, const struct delta *threads, const struct delta_row *row,
		size_t first, size_t n, struct arena *arena);

#endif
