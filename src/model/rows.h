/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * rows - all that there is to show of a delta, one after the other: what ran, and what did not.
 *
 *   for (struct rows_item item = {.n = 0}; rows_next(d, &item);)
 *           row = item.row ? item.row : rows_idle(d, &item, &arena);
 *
 * A delta has rows only of what did something; the row of something idle is made for those who want
 * it.
 */
#ifndef MODEL_ROWS_H
#define MODEL_ROWS_H

#include "model/delta.h"

/* A task of the current sample, or all those of a process. */
struct rows_item {
	const struct task *task;     /* the task that speaks for them: the leader of a process */
	const struct delta_row *row; /* NULL: idle */
	size_t first, n;             /* sample.task[first ...] */
	size_t passed;               /* how many rows of the delta have been passed */
};

/* Moves to the next item; begin with an empty one. False at the end. */
bool rows_next(const struct delta *d, struct rows_item *item);
/* Makes the row of an idle item; it lies in the arena. */
const struct delta_row *rows_idle(const struct delta *d, const struct rows_item *item,
				  struct arena *arena);

#endif
