/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * rows - allocates the rows of the table. All functions but rows_are_full() are called under the
 * guard.
 */
#ifndef INJECT_PRELOAD_ROWS_H
#define INJECT_PRELOAD_ROWS_H

#include <stdbool.h>

#include "inject/preload/table.h"

/* Returns an empty row for a lock; NULL: no room. */
struct locks_row *rows_new(uint32_t slot, const struct locks_instance *instance, uint64_t caller);
void rows_free(struct locks_row *row);
/* Returns the number of a row in the table, from 1 on. */
uint32_t rows_number(const struct locks_row *row);
/* Returns the number of a row in the table, from 1 on; 0: the row is not in the table. */
uint32_t rows_number_or_none(const struct locks_row *row);
/* Returns the counts of a row of the table; NULL: no events are counted. */
struct locks_quantity *rows_counts(const struct locks_row *row);
/* Returns the counts of the row `other` of a slot (table.h); NULL: no events are counted. */
struct locks_quantity *rows_counts_of_slot(uint32_t slot);
/* Returns whether rows_new() has found no room, and no row was freed since then. */
bool rows_are_full(void);

/* In a child: resets the state, as its table has no rows yet. */
void rows_forget(void);

#endif
