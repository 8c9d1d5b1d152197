/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * past - what a column of one row was in the last intervals, from its history. Pure.
 *
 * Where nothing was done, the column is computed of that: %CPU is 0, a ratio has nothing to divide
 * by. Where nobody knows what was done, there is no number: before the first record, and before one
 * that sees the row anew.
 */
#ifndef VIEW_PAST_H
#define VIEW_PAST_H

#include "model/history.h"
#include "screen/binding.h"
#include "view/frame.h"
#include "view/row_id.h"

/* Of whom. */
struct past_row {
	const struct history *history;
	const struct task *task;
	bool threads; /* rows are threads */
	bool present; /* it is in the last moment: since its last record it has done nothing */
	/* Of a group, which then is what it is of, and the frame that its members are of; else
	 * NULL: see past_sum_possible(). */
	const struct row_id *group;
	const struct frame *frame;
};

/* Something that a row of an interval knows. */
typedef struct value past_compute(const void *context, const struct delta_row *row);

/* Sets out[0 .. n - 1] to what is answered for the moments from `from` on. */
void past_each(const struct past_row *of, uint32_t from, size_t n, past_compute *ask,
	       const void *context, struct value *out);
/* The same of column i of the bound screen. */
void past_read(const struct past_row *of, struct binding *binding, size_t i, struct shown shown,
	       const struct host *host, uint32_t from, size_t n, struct value *out);

/* Of a row of the frame: the column of its screen at the last n moments, up to the one that is
 * shown. Where there were not so many, no number comes first; there is none of a row that is
 * collapsed. */
void past_read_last(const struct frame *frame, const struct frame_row *row, size_t i, size_t n,
		    struct value *out);

/* ---- sum ----
 *
 * What a group did in the last intervals: the sums of its members, from their history.
 *
 * Members are all rows that the history has, those that have ended, too, whose key is that of the
 * group by their last reading, and that pass the filters of the view. At each moment their
 * increments are folded as those of a present group are, so that ratios are of sums. Who did
 * nothing, was not there yet or is not there any more adds nothing. There is no number
 *
 *   - where a member is seen anew, though counting did not begin anew: what it did is not known;
 *   - before what the history has dropped for want of memory, of a member, or of anybody who may
 *     have been one;
 *   - where the filter asks for numbers: who passed it then is not known.
 */

/* Whether there are members of such a group in what the history keeps. */
bool past_sum_possible(const struct frame *frame, const struct row_id *group);
/* As past_each(), of the group. */
void past_sum_each(const struct frame *frame, const struct row_id *group, uint32_t from, size_t n,
		   past_compute *ask, const void *context, struct value *out);
/* The sum of all tasks of the user that this one has. */
struct row_id past_sum_of_user(const struct task *task);

#endif
