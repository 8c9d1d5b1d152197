/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * contention - who waits for a lock, and for whom: the records of the table (struct locks_wait).
 *
 * A record is found before the wait, when nobody waits for this thread, and added to behind it.
 * One that is there is found without the guard.
 *
 * Where tiptop asks for it, each has the callers of whoever waits, too, LOCKS_FRAMES at most: the
 * unwinder of the compiler finds them, by tables that do not depend on frame pointers.
 */
#ifndef INJECT_PRELOAD_CONTENTION_H
#define INJECT_PRELOAD_CONTENTION_H

#include "inject/preload/thread.h"

/* Whether callers are asked for (LOCKS_STACKS_VARIABLE). Under the guard. */
void contention_begin(void);
/* The record of a caller that is about to wait for a lock, which may be shared (thread.h). Never
 * NULL: the first one is for all that have no room. */
struct locks_wait *contention_find(struct thread *t, const struct locks_instance *instance,
				   uintptr_t lock, uintptr_t caller);
/* The number of such a record, as the table has it. */
uint32_t contention_number(const struct locks_wait *wait);
/* In a child: there is none. Under the guard. */
void contention_forget(void);

static inline void contention_add(struct locks_wait *wait, uint64_t ticks)
{
	__atomic_fetch_add(&wait->n, 1, __ATOMIC_RELAXED);
	__atomic_fetch_add(&wait->ticks, ticks, __ATOMIC_RELAXED);
}

#endif
