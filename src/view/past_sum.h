/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * past_sum - what a group did in the last intervals: the sums of its members, from their history.
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
#ifndef VIEW_PAST_SUM_H
#define VIEW_PAST_SUM_H

#include "view/past.h"
#include "view/row_id.h"

/* Whether there are members of such a group in what the history keeps. */
bool past_sum_can(const struct frame *frame, const struct row_id *group);
/* As past_each(), of the group. */
void past_sum_each(const struct frame *frame, const struct row_id *group, uint32_t from, size_t n,
		   past_ask *ask, const void *context, struct value *out);
/* The sum of all tasks of the user that this one has. */
struct row_id past_sum_of_user(const struct task *task);

#endif
