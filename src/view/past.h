/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * past - the values of a column of one row in the last intervals, from its history. Pure.
 *
 * While the row was idle, the column is computed from increments of 0: %CPU is 0, a ratio has
 * nothing to divide by. Where the state of the row is unknown, the column has no number: before the
 * first record of the row, and before a fresh record (model/history.h).
 */
#ifndef VIEW_PAST_H
#define VIEW_PAST_H

#include "model/history.h"
#include "screen/binding.h"
#include "view/frame.h"
#include "view/view.h"

/* The row whose past is read. */
struct past_row {
	const struct history *history;
	const struct task *task;
	bool threads; /* rows are threads */
	bool present; /* the row is in the last moment: since its last record it was idle */
	/* For a group its identity, and the frame whose view selects its members; else NULL. See
	 * past_sum_possible(). */
	const struct row_id *group;
	const struct frame *frame;
};

/* Computes a value from the row of an interval. */
typedef struct value past_compute(const void *context, const struct delta_row *row);

/* Sets out[0] to out[n - 1] to the results of ask for the moments from `from` on. */
void past_each(const struct past_row *of, uint32_t from, size_t n, past_compute *ask,
	       const void *context, struct value *out);
/* Sets out to the values of column i of the bound screen. */
void past_read(const struct past_row *of, struct binding *binding, size_t i, struct shown shown,
	       const struct host *host, uint32_t from, size_t n, struct value *out);

/* Sets out to the values of column i at the last n moments, up to the one shown by the frame.
 * Moments before the history begins have no number; a collapsed row has no number at any moment. */
void past_read_last(const struct frame *frame, const struct frame_row *row, size_t i, size_t n,
		    struct value *out);

/* ---- sum ----
 *
 * The values of a group in the last intervals: the sums of its members, from their history.
 *
 * Members are the rows of the history, ended ones included, whose last reading has the key of the
 * group and passes the filters of the view. At each moment their increments are folded as in
 * model/fold_groups.h, so that ratios are those of sums. Members that were idle, or did not exist
 * at the moment, add nothing. There is no number
 *
 *   - before a fresh record of a member, as its increments before are unknown, unless counting
 *     restarted for all rows;
 *   - before records that the history dropped for lack of memory, of a member or of a row that may
 *     have been one;
 *   - if the filter depends on numbers: which rows passed it in the past is unknown.
 */

/* Returns whether the members of this group can be found in the history; false if the filter
 * depends on numbers. */
bool past_sum_possible(const struct frame *frame, const struct row_id *group);
/* Does what past_each() does, for a group. */
void past_sum_each(const struct frame *frame, const struct row_id *group, uint32_t from, size_t n,
		   past_compute *ask, const void *context, struct value *out);
/* Returns the group of all tasks of this task's user. */
struct row_id past_sum_of_user(const struct task *task);

#endif
