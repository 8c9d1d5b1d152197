/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * ended_rows - the last rows of tasks that have ended, kept for the sticky mode.
 *
 * Each row is a copy of the row that the delta had for the interval in which the task ended, so
 * that its increments and rates do not change. At most DEAD_MAX rows are kept; above that, the
 * oldest is dropped.
 *
 * Ownership: the list owns its copies and holds references to their readings; rows are valid until
 * the next dead_collect() or dead_reset().
 */
#ifndef MODEL_ENDED_ROWS_H
#define MODEL_ENDED_ROWS_H

#include "model/delta.h"

#define DEAD_MAX 10000

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

#endif
