/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * ended_rows - the last rows of tasks that have ended, kept for the sticky mode.
 *
 * Each row is a copy of what the delta had in the interval in which the task ended, so that its
 * increments and rates stay what they were. At most DEAD_MAX rows are kept; then the oldest goes.
 *
 * Ownership: the list owns its copies, and holds references to the readings that they point to;
 * rows are valid until the next dead_collect() or dead_reset().
 */
#ifndef MODEL_ENDED_ROWS_H
#define MODEL_ENDED_ROWS_H

#include "model/delta.h"

#define DEAD_MAX 10000

struct dead_row {
	struct delta_row row;
	/* What row points to: */
	struct value *values;
	struct delta_sums sums;
};

struct dead_list {
	struct dead_row **row; /* the oldest first */
	size_t n, cap;
};

void dead_init(struct dead_list *l);
void dead_done(struct dead_list *l);
/* Forgets all rows, since their columns belong to counters that are no more. */
void dead_reset(struct dead_list *l);
/* Fills an empty list with all that another one has. */
void dead_copy(struct dead_list *l, const struct dead_list *from);
/* What they did was before this moment. */
void dead_mark(struct dead_list *l);
/* Adds the tasks that ended in this delta. */
void dead_collect(struct dead_list *l, const struct delta *delta);

#endif
