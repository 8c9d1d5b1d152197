/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * chain - records chains of waits (struct locks_chain): a thread waits for a lock whose holder
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
#ifndef INJECT_PRELOAD_CHAIN_H
#define INJECT_PRELOAD_CHAIN_H

#include "inject/preload/thread.h"

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
