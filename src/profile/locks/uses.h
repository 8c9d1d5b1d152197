/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * uses - finds out what the objects that no thread holds are used as: locks, which another thread
 * has, or places to wait for work. Waits for work are idle.
 *
 * What happens around the waits says it: which threads wake, and how often (config/waits.list has
 * the rules). For a futex with few wakes, the other futexes that the same callers wake decide, too:
 * they are places in the same kind of lock.
 */
#ifndef PROFILE_LOCKS_USES_H
#define PROFILE_LOCKS_USES_H

#include <stddef.h>

struct locks_line;
struct locks_row;
struct wait_rules;

/* Sets futex.handed and LOCKS_BALANCED of rows of living threads; those of exited threads have
 * them. Rows are sorted by instance. */
void uses_add_handed(struct locks_row *row, size_t n);
/* Sets `idle` and `certainty` of all lines, which are sorted by instance. */
void uses_find(struct locks_line *line, size_t n, const struct wait_rules *rules);

#endif
