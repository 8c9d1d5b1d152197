/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * sum - the row of a region, added up over threads that may write theirs meanwhile.
 *
 * There must be a table. Both rows have room for SUM_ROOM words; `scratch` is overwritten.
 */
#ifndef INJECT_LIB_SUM_H
#define INJECT_LIB_SUM_H

#include <stdbool.h>

#include "inject/lib/table.h"

struct tt_exited_rows;

#define SUM_ROOM 512

/* Where a walk over threads is. */
struct sum_place {
	unsigned slot;                     /* the one that was had last */
	const struct tt_exited_rows *kept; /* the next one */
	bool lived;                        /* those that live have been had */
};

_Static_assert(sizeof(struct table_row) + (1 + TABLE_EVENTS) * sizeof(struct table_quantity) <=
		       sizeof(uint64_t[SUM_ROOM]),
	       "a row has room");

/* Returns the number of the next region from this one on that any thread has begun, or one that has
 * ended; 0: there is none. */
uint32_t tt_sum_find(uint32_t id);
/* Adds up all threads, those that have ended, too. */
void tt_sum_row(struct table_row *sum, struct table_row *scratch, uint32_t id);
/* Takes the threads one by one, from {0} on: those that live, and those that have ended, as far as
 * they are kept. Returns the number of the next one that has called the region; 0: there is none.
 */
uint32_t tt_sum_next(struct table_row *row, uint32_t id, struct sum_place *at);
/* Takes the calling thread alone. */
void tt_sum_own_row(struct table_row *sum, struct table_row *scratch, uint32_t id);

#endif
