/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * sum - the row of a region, added up over threads that may write theirs meanwhile.
 *
 * There must be a table. Both rows have room for SUM_ROOM words; `scratch` is overwritten.
 */
#ifndef LIB_SUM_H
#define LIB_SUM_H

#include "lib/table.h"

#define SUM_ROOM 512

_Static_assert(sizeof(struct table_row) + (1 + TABLE_EVENTS) * sizeof(struct table_quantity) <=
		       sizeof(uint64_t[SUM_ROOM]),
	       "a row has room");

/* Adds up all threads, those that have ended, too. */
void tt_sum_row(struct table_row *sum, struct table_row *scratch, uint32_t id);
/* Takes the calling thread alone. */
void tt_sum_own_row(struct table_row *sum, struct table_row *scratch, uint32_t id);

#endif
