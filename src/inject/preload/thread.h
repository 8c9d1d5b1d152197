/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * thread - the state of a thread: the index of its rows, the locks that it holds, and its slot in
 * the table.
 *
 * thread_self (measure.h) points to this state, in memory that the kernel clears in a child
 * process. The fast path checks only `ready`, which is 0 if nothing may be written: in a child, in
 * a thread that is not measured, and in a signal handler that came while the thread was writing.
 * Such a handler uses another struct thread, `inner`. The rows of the inner thread belong to the
 * thread; its slot is not in the table, as the handler's time is part of the thread's.
 */
#ifndef INJECT_PRELOAD_THREAD_H
#define INJECT_PRELOAD_THREAD_H

#include <stdbool.h>
#include <stdint.h>

#include "inject/preload/events.h"
#include "inject/preload/table.h"

/* The row of a lock and a caller. For shared acquisitions (by readers), `lock` is the address of
 * the lock with the bit THREAD_SHARED. */
#define THREAD_SHARED ((uintptr_t)1)
struct thread_entry {
	uintptr_t lock, caller; /* lock 0: the place is free */
	struct locks_instance *instance;
	struct locks_row *row;
	struct locks_quantity *counts; /* of the row; NULL: no events are counted */
};

struct thread_index {
	struct thread_entry *entry;
	uint32_t places, n; /* size of the hash table, a power of two; and places in use */
};

/* For a lock that the thread holds: the counts of its row, and the readings at the acquisition. */
struct thread_held {
	struct locks_quantity *counts;
	struct moment since;
};

struct thread {
	uint32_t ready;     /* 1: the struct may be read and written */
	uint32_t n_waiting; /* waits in progress: more than 1 if a signal handler waits during a
			       wait */
	uint32_t unwinding; /* the unwinder is running */
	uint32_t own; /* 1: the thread has a slot; 0 in a child, where the kernel has cleared all of
			 this */
	uint32_t measured; /* the value of `ready` between changes: 0 once measuring has stopped */
	/* Sampling. sample: attempts per block; left: attempts left in this block; drawn: the value
	 * of `left` at the attempt that is timed. */
	uint32_t sample, left, drawn;
	uint64_t random; /* state of the random number generator; not 0 */
	struct locks_thread *slot;
	uint32_t place; /* the index of the thread's slot */
	/* The thread that held the lock when the present wait began: its number (0: unknown) and
	 * its slot. */
	uint32_t holder, holder_slot;
	/* The wait in progress (sched.h). wait_run: the CPU time at its begin, in ns; wait_weight:
	 * how many waits this reading stands for, 0: it was not made. n_waits: waits in which the
	 * thread may have been blocked, so far. */
	uint64_t wait_run;
	uint32_t wait_weight, n_waits;
	struct thread *inner; /* for a signal handler, see above; NULL: none yet */
	struct thread_index index;
	uint32_t rows;                     /* the number of the thread's first row; 0: none */
	struct thread_entry other;         /* for locks that have no room in the table */
	struct locks_instance no_instance; /* of `other` */
	struct locks_thread own_slot;      /* used by an inner thread */
	struct events *events;             /* NULL: only the time is measured */
	struct events own_events;
	struct moment last;                  /* the readings when the present state began */
	struct thread_held held[LOCKS_HELD]; /* parallel to slot->held */
};

static inline uint32_t thread_place(const struct thread_index *index, uintptr_t lock,
				    uintptr_t caller)
{
	const uint64_t hash = ((uint64_t)lock >> 3 ^ (uint64_t)caller << 20) * 0x9e3779b97f4a7c15;

	return (uint32_t)(hash >> 32) & (index->places - 1);
}

/* Returns the entry of a lock and a caller; NULL: not used by this thread yet. */
static inline struct thread_entry *thread_find(const struct thread_index *index, uintptr_t lock,
					       uintptr_t caller)
{
	uint32_t i = thread_place(index, lock, caller);

	while (index->entry[i].lock) {
		if (index->entry[i].lock == lock && index->entry[i].caller == caller)
			return &index->entry[i];
		i = (i + 1) & (index->places - 1);
	}
	return NULL;
}

#endif
