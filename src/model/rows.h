/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * rows - the rows of a delta: folds those of threads into one row per process, iterates over them
 * and over idle tasks, keeps the last rows of tasks that ended, and computes the CPU time that no
 * row has.
 *
 *   for (struct rows_item item = {.n = 0}; rows_next(d, &item);)
 *           row = item.row ? item.row : rows_idle(d, &item, &arena);
 *
 * A delta has rows only of tasks that did something; rows_idle() makes the row of an idle one.
 */
#ifndef MODEL_ROWS_H
#define MODEL_ROWS_H

#include <stdbool.h>

#include "base/value.h"
#include "model/delta.h"

/* ---- fold ----
 *
 * Folds the rows of threads into one row per process.
 *
 * Counts, times, rates and per-thread facts are sums over the threads; the other facts and the name
 * are the leader's. If threads have different sets of events, the row has the join of the sets, and
 * the sum of an event that a thread lacks is partial. A process has a row if at least one of its
 * threads has a row.
 *
 * Ownership: the result points into the delta of the threads, and is valid as long as that delta.
 */

/* Folds threads to processes: out gets one row per process, in the order of in. */
void fold_processes(struct delta *out, const struct delta *in);

/* ---- iteration ---- */

/* A task of the current sample, or all tasks of a process. */
struct rows_item {
	const struct task *task;     /* the task; of a process, its leader */
	const struct delta_row *row; /* NULL: idle */
	size_t first, n;             /* its tasks are sample.task[first] to [first + n - 1] */
	size_t passed;               /* rows of the delta that have been visited */
};

/* Moves to the next item; the first call takes a zeroed one. Returns false at the end. */
bool rows_next(const struct delta *d, struct rows_item *item);
/* Makes the row of an idle item, in the arena. */
const struct delta_row *rows_idle(const struct delta *d, const struct rows_item *item,
				  struct arena *arena);

/* ---- ended rows ----
 *
 * The last rows of tasks that have ended, kept for the sticky mode.
 *
 * Each row is a copy of the row that the delta had for the interval in which the task ended, so
 * that its increments and rates do not change. At most 10,000 rows are kept; above that, the
 * oldest is dropped.
 *
 * Ownership: the list owns its copies and holds references to their readings; rows are valid until
 * the next dead_collect() or dead_reset().
 */

struct dead_row {
	struct delta_row row;
	/* Memory to which row points: */
	struct value *values;
	struct delta_sums sums; /* its facts: owned */
};

struct dead_list {
	struct dead_row **row; /* the oldest first */
	size_t n, cap;
};

void dead_init(struct dead_list *l);
void dead_done(struct dead_list *l);
/* Drops all rows, as for a new generation, when their counters have been closed. */
void dead_reset(struct dead_list *l);
/* Copies all rows of another list into an empty one. */
void dead_copy(struct dead_list *l, const struct dead_list *from);
/* Sets the mark: these tasks have counted nothing since. */
void dead_mark(struct dead_list *l);
/* Adds the tasks that ended in this delta. */
void dead_collect(struct dead_list *l, const struct delta *delta);

/* ---- unseen time ----
 *
 * The CPU time of an interval that no row has.
 *
 * A task that begins and ends between two refreshes is in no sample, and what a task did after its
 * last reading is in none either. The kernel counts their time in the times of the CPUs only, so it
 * is the difference:
 *
 * unseen = Σ CPUs (user + nice + system) - Σ tasks (CPU time)
 *
 * Both sides are in % of one CPU. The left sum has the resolution of clock ticks, so the difference
 * may be below 0, and small ones mean nothing: see unseen_matters().
 *
 * Pure.
 */

/* The use of the CPUs by tasks in an interval, in % of one CPU. */
struct unseen {
	struct value busy;   /* of all tasks: user, nice and system time of the CPUs */
	struct value unseen; /* of tasks without a row; unknown: busy is unknown, too */
};

/* Computes the use from a delta of tasks or processes that were not grouped. Both numbers are
 * unknown (QUALITY_NOT_READ) if the times of the CPUs are, or if the sample lacks living tasks: a
 * filter left some out, tiptop is in a container, or /proc shows only the user's own (hidepid). A
 * task that ran, but whose CPU time is unknown, counts as unseen. */
struct unseen unseen_compute(const struct delta *d);
/* Returns whether the unseen time is above what ticks and shifted intervals explain: at least 25 %
 * of one CPU, and a quarter of the use. */
bool unseen_matters(const struct unseen *u);

#endif
