/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * futex_rows - rows of a table of locks, each for a futex and a caller, found by both.
 */
#ifndef PROFILE_LOCKS_FUTEX_ROWS_H
#define PROFILE_LOCKS_FUTEX_ROWS_H

#include "base/lookup.h"
#include "inject/preload/table.h"

struct futex_rows {
	struct locks_row *row; /* [n]; next: 1 + the index of a row with the same key, 0: none */
	size_t n, cap;
	struct hash by_key;
};

/* Numbers as values of a hash, which stores pointers; 0 cannot be stored. */
static inline void *futex_number_to_value(size_t number)
{
	return (void *)(uintptr_t)number;
}

static inline size_t futex_value_to_number(const void *value)
{
	return (size_t)(uintptr_t)value;
}

/* Returns the row of a futex and a caller; adds an empty one if there is none. Valid until the next
 * call. */
struct locks_row *futex_rows_get(struct futex_rows *r, uint32_t instance, uint64_t caller);
void futex_rows_done(struct futex_rows *r);

#endif
