/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * idle - distinguishes idle waits from waits for locks, which another thread holds.
 *
 * Waits for a condition variable, a semaphore or a barrier are idle: the thread waits for something
 * to do. A futex can be anything. It counts as a lock if the kernel inherits priorities for it, or
 * if at least half of the threads that were woken were woken by threads that wait for it, too:
 * those that use a lock do both, while those that hand out work only wake. For a futex with few
 * wakes, the other futexes that the same callers wake decide, too: they are places in the same kind
 * of lock.
 */
#ifndef PROFILE_LOCKS_IDLE_H
#define PROFILE_LOCKS_IDLE_H

#include <stddef.h>

struct locks_line;
struct locks_row;

/* Sets futex.handed of rows of living threads; those of exited threads have it. Rows are sorted by
 * instance. */
void idle_add_handed(struct locks_row *row, size_t n);
/* Sets `idle` of all lines, which are sorted by instance. */
void idle_find(struct locks_line *line, size_t n);

#endif
