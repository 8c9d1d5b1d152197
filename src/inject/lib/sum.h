/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * sum - adds up the rows of a region over threads, which may write to their rows at the same time.
 *
 * A table must exist. `sum` and `scratch` have room for TABLE_ROW_WORDS words; `scratch` is
 * overwritten.
 */
#ifndef INJECT_LIB_SUM_H
#define INJECT_LIB_SUM_H

#include <stdbool.h>

#include "inject/lib/table.h"

struct tt_exited_rows;

/* The position of a loop over threads. */
struct sum_place {
	unsigned slot;                     /* the last slot that was read */
	const struct tt_exited_rows *kept; /* the next exited thread */
	bool lived;                        /* all living threads have been read */
};

/* Returns the number of the next region, from id on, that any living or exited thread has begun; 0:
 * none. */
uint32_t tt_sum_find(uint32_t id);
/* Sets *sum to the sum of the region's rows in all threads, including exited ones. */
void tt_sum_row(struct table_row *sum, struct table_row *scratch, uint32_t id);
/* Copies the region's row of the next thread that has called the region, and returns the thread's
 * tid; 0: no further thread. Begins at *at = {0}: living threads come first, then exited threads
 * whose rows were kept. */
uint32_t tt_sum_next(struct table_row *row, uint32_t id, struct sum_place *at);
/* Sets *sum to the region's row of the calling thread. */
void tt_sum_own_row(struct table_row *sum, struct table_row *scratch, uint32_t id);

#endif
