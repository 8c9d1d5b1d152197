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

/* Of whom. */
struct past_row {
	const struct history *history;
	const struct task *task;
	bool threads; /* rows are threads */
	bool present; /* it is in the last moment: since its last record it has done nothing */
	/* Of a group, which then is what it is of, and the frame that its members are of; else
	 * NULL: see view/past_sum.h. */
	const struct row_id *group;
	const struct frame *frame;
};

/* Something that a row of an interval knows. */
typedef struct value past_ask(const void *context, const struct delta_row *row);

/* Sets out[0 .. n - 1] to what is answered for the moments from `from` on. */
void past_each(const struct past_row *of, uint32_t from, size_t n, past_ask *ask,
	       const void *context, struct value *out);
/* The same of column i of the bound screen. */
void past_read(const struct past_row *of, struct binding *binding, size_t i, struct shown shown,
	       const struct host *host, uint32_t from, size_t n, struct value *out);

/* Of a row of the frame: the column of its screen at the last n moments, up to the one that is
 * shown. Where there were not so many, no number comes first; there is none of a row that is
 * collapsed. */
void past_read_last(const struct frame *frame, const struct frame_row *row, size_t i, size_t n,
		    struct value *out);

#endif
