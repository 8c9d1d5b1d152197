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
 *
 * If requested, waits of holders are recorded, too (chain).
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
 * sets all but the holder, including the stack of the caller; contention_get() returns the equal
 * record, and adds it if there is none. A wait without a lock in the table has instance 0, and gets
 * record 0. */
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

/* ---- chain ----
 *
 * Records chains of waits (struct locks_chain): a thread waits for a lock whose holder
 * waits for another lock at the same time, and so on. Only if requested (LOCKS_CHAINS_VARIABLE).
 *
 * A thread that ends a wait while it holds locks leaves a note for the threads that wait for these
 * locks: when it waited, and in which chain that wait was. The other threads get the locks only
 * after the holder has ended its wait, so they find the note when their own waits end. The time
 * that both waits have in common is added to a chain that is one wait longer than that of the note.
 * Chains have up to LOCKS_CHAIN_DEPTH waits.
 *
 * Only the thread that held the lock when the wait began is looked at, and only its latest
 * CHAIN_NOTES notes are kept.
 */

#define CHAIN_NOTES 16
/* The most held locks in a note; the last ones that the thread acquired. */
#define CHAIN_HELD 8

extern bool chain_wanted;

/* Reads whether chains are requested. Called under the guard. */
void chain_begin(void);
/* In a child: forgets the records of the parent. Called under the guard. */
void chain_forget(void);

/* Ends a wait for a lock: adds it to chains, and leaves notes. lock: as in struct thread_entry;
 * begin, end: in ticks; got: the thread has acquired the lock; only then is the time counted. */
void chain_end_wait(struct thread *t, const struct locks_wait *wait, uintptr_t lock, uint64_t begin,
		    uint64_t end, bool got);
/* Ends a wait for an object that is not held: leaves a note if the thread holds locks. In chains,
 * the wait is the last one, as nothing holds its object. */
void chain_end_idle(struct thread *t, const struct locks_instance *instance, uintptr_t caller,
		    uint64_t begin, uint64_t end);

#endif
