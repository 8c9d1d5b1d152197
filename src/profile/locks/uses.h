/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * uses - decides what each object that no thread holds is used as: a lock, which another thread
 * has, or a place to wait for work. Waits for work are idle.
 *
 * It is decided from which threads wait and wake, and how often, by the rules of config/waits.list.
 * For a futex with few wakes, the other futexes that the same callers wake are added, as they are
 * probably used in the same way.
 */
#ifndef PROFILE_LOCKS_USES_H
#define PROFILE_LOCKS_USES_H

#include <stddef.h>

struct locks_line;
struct locks_row;
struct wait_rules;

/* Sets futex.handed and LOCKS_BALANCED in the rows of living threads; those of exited threads have
 * them. row: sorted by instance. */
void uses_add_handed(struct locks_row *row, size_t n);
/* Sets `idle` and `certainty` of the lines, which are sorted by instance. */
void uses_find(struct locks_line *line, size_t n, const struct wait_rules *rules);

#endif
