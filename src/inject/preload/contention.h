/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * contention - records which caller waited for a lock, and which caller held the lock (struct
 * locks_wait).
 *
 * A record is looked up before the wait: after the wait the thread has the lock, and the lookup
 * would delay other threads. The record is updated after the wait. Existing records are found
 * without the guard.
 *
 * If requested, each record also has the call stack of the waiting thread, at most LOCKS_FRAMES
 * frames. The compiler's unwinder finds them, by tables that do not need frame pointers.
 */
#ifndef INJECT_PRELOAD_CONTENTION_H
#define INJECT_PRELOAD_CONTENTION_H

#include "inject/preload/thread.h"

/* Reads whether stacks are requested (LOCKS_STACKS_VARIABLE). Called under the guard. */
void contention_begin(void);
/* Returns the record of a caller that is about to wait for a lock; `lock` may have the bit
 * THREAD_SHARED (thread.h). Never NULL: record 0 is for waits that have no room in the table. */
struct locks_wait *contention_find(struct thread *t, const struct locks_instance *instance,
				   uintptr_t lock, uintptr_t caller);
/* The same in two steps, for waits whose holder is known afterwards only. contention_describe()
 * sets all but the holder, the stack of the caller included; contention_get() returns the record
 * that is equal. A wait without a lock in the table has instance 0, and gets record 0. */
void contention_describe(struct thread *t, struct locks_wait *wait,
			 const struct locks_instance *instance, uintptr_t caller);
struct locks_wait *contention_get(const struct locks_wait *wait);
/* Returns the number of a record in the table. */
uint32_t contention_number(const struct locks_wait *wait);
/* In a child: forgets all records. Called under the guard. */
void contention_forget(void);

static inline void contention_add(struct locks_wait *wait, uint64_t ticks)
{
	__atomic_fetch_add(&wait->n, 1, __ATOMIC_RELAXED);
	__atomic_fetch_add(&wait->ticks, ticks, __ATOMIC_RELAXED);
}

#endif
