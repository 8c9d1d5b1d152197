/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * row - adds calls of a region to its row in the table (table.h).
 *
 * It happens at the end of each call, so a call that is like most others writes little: what can be
 * computed from other sums when somebody reads the row is not kept.
 */
#ifndef INJECT_LIB_ROW_H
#define INJECT_LIB_ROW_H

#include <stdbool.h>
#include <tiptop.h>

#include "inject/lib/table.h"

/* One call, where it is not like most others. What stands in [0] is the time, in ticks. */
struct tt_call {
	struct table_row *row;
	bool outermost; /* else the region is in itself, and this call is no part of the sum */
	bool has_inner; /* there were regions in it */
	bool waited;    /* what was counted meanwhile is not its own */
	uint64_t n_inner, n_within; /* how many, directly and in all */
	uint32_t known;             /* bit i: quantity i has a number */
	uint32_t scaled;            /* bit i: that is an estimate */
	uint32_t off;               /* bit i: it has none, as the counter was not on the PMU */
	uint64_t total[1 + TABLE_EVENTS], inner[1 + TABLE_EVENTS];
	/* Of estimates: the part that was not counted, and for how many ticks. */
	uint64_t estimated[1 + TABLE_EVENTS], missed[1 + TABLE_EVENTS];
};

/* Which bucket a number is in. No count has 2^63 and more: one that had would be in a wrong one. */
static inline unsigned row_bucket(uint64_t x)
{
	return 63 - (unsigned)__builtin_clzll(x << 1 | 1);
}

/* Before the first call, whose numbers are these: squares are summed up around them, so that
 * nothing is lost of large ones. */
void tt_row_begin(struct table_row *row, const uint64_t total[], uint32_t n_events);

/* A number of a call that has begun to be written. */
static inline void row_add_number(struct table_quantity *q, uint64_t x)
{
	const uint64_t off = x - q->base;
	const double distance = (double)(int64_t)off;

	q->shifted += off;
	q->squares += distance * distance;
	if (__builtin_expect(x < q->min || x > q->max, 0)) {
		q->min = x < q->min ? x : q->min;
		q->max = x > q->max ? x : q->max;
	}
	q->bucket[row_bucket(x)]++;
}

/* Sets a number by the readings at the begin and at the end; the time is set before. */
void tt_call_set_number(struct tt_call *call, uint32_t i, const struct tt_value *from,
			const struct tt_value *to);
/* Adds any call. */
void tt_row_add(const struct tt_call *call, uint32_t n_events);

#endif
