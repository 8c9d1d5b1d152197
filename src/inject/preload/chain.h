/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * chain - records chains of waits (struct locks_chain): a thread waits for a lock, whose holder
 * waits for another lock at the same time, and so on. Only if requested (LOCKS_CHAINS_VARIABLE).
 *
 * A thread that holds locks and ends a wait leaves a note of it, for the threads that wait for
 * these locks. Such a thread gets its lock only after the holder has ended its wait, so it finds
 * the note when its own wait ends: each chain has exactly the time that both waits have in common.
 * The note says to which chain the wait of the holder belonged, so a chain may have any number of
 * locks.
 *
 * The holder is the one when the wait began. The latest CHAIN_NOTES notes of a thread are kept.
 */
#ifndef INJECT_PRELOAD_CHAIN_H
#define INJECT_PRELOAD_CHAIN_H

#include "inject/preload/thread.h"

#define CHAIN_NOTES 16
/* The most held locks of which a note tells. */
#define CHAIN_HELD 8

extern bool chain_wanted;

/* Reads whether chains are requested. Called under the guard. */
void chain_begin(void);
/* In a child: forgets all records. Called under the guard. */
void chain_forget(void);

/* Ends a wait for a lock. wait: the record of the wait; got: the thread has acquired the lock, so
 * that the time is counted. */
void chain_end_wait(struct thread *t, const struct locks_wait *wait, uintptr_t lock, uint64_t begin,
		    uint64_t end, bool got);
/* Ends a wait for something that is not held, and so ends chains. */
void chain_end_idle(struct thread *t, const struct locks_instance *instance, uintptr_t caller,
		    uint64_t begin, uint64_t end);

#endif
