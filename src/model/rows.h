/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * rows - iterates over the rows of a delta and over idle tasks, which have no row in it.
 *
 *   for (struct rows_item item = {.n = 0}; rows_next(d, &item);)
 *           row = item.row ? item.row : rows_idle(d, &item, &arena);
 *
 * A delta has rows only of tasks that did something; rows_idle() makes the row of an idle one.
 */
#ifndef MODEL_ROWS_H
#define MODEL_ROWS_H

#include "model/delta.h"

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

#endif
