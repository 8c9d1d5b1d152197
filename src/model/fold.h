/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * fold - many rows of a delta to one: threads to their process.
 *
 * Counts, times, rates and per-thread facts are sums over the threads; other facts and the name are
 * the leader's, for which the kernel keeps them. Threads of other events: the row has the events of
 * all, and a sum of which some thread lacks the event is a part. A process has a row where one of
 * its threads has one.
 *
 * Ownership: what is folded points into the delta that it comes from, and is valid as long as that.
 */
#ifndef MODEL_FOLD_H
#define MODEL_FOLD_H

#include "model/delta.h"

/* Folds threads to processes: out gets one row for each process, in the order of in. */
void fold_processes(struct delta *out, const struct delta *in);
/* Adds up n tasks of one process, sample.task[first ...]. row: that of the first of them which has
 * one; at most row + n belong to the process. */
void fold_range(struct delta_row *out, const struct delta *threads, const struct delta_row *row,
		size_t first, size_t n, struct arena *arena);

#endif
