/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * rows - which rows of the table are free. All of it is under the guard, but for rows_are_full().
 */
#ifndef INJECT_PRELOAD_ROWS_H
#define INJECT_PRELOAD_ROWS_H

#include <stdbool.h>

#include "inject/preload/table.h"

/* An empty row for a lock, NULL: there is no room. */
struct locks_row *rows_new(uint32_t slot, const struct locks_instance *instance, uint64_t caller);
void rows_free(struct locks_row *row);
/* From 1 on, as the table names it. */
uint32_t rows_number(const struct locks_row *row);
/* The same; 0: it is not one of the table. */
uint32_t rows_number_or_none(const struct locks_row *row);
/* What a row of the table has counted; NULL: there are no events. */
struct locks_quantity *rows_counts(const struct locks_row *row);
/* That of the row `other` of a slot. */
struct locks_quantity *rows_counts_of_slot(uint32_t slot);
/* Whether rows_new() has found no room, and nobody has given a row since. */
bool rows_are_full(void);

/* In a child: none was taken. */
void rows_forget(void);

#endif
