/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * thread - what a thread has of its own: where its rows are, which locks it holds, and its slot of
 * the table.
 *
 * It stands in memory that the kernel clears in a child, and thread_self points to it: `ready` is
 * all that a lock has to look at. It is 0 where nothing may be written: in a child, in a thread
 * that is not measured, and in a signal handler that came while the thread was writing. Such a
 * handler has one of its own, `inner`, whose rows are the thread's; its time is that of the thread,
 * so its slot is not in the table.
 */
#ifndef INJECT_PRELOAD_THREAD_H
#define INJECT_PRELOAD_THREAD_H

#include <stdbool.h>
#include <stdint.h>

#include "inject/preload/events.h"
#include "inject/preload/table.h"

/* Where the row of a lock and a caller is. Who acquires a lock to share it has its address and
 * THREAD_SHARED in place of the lock. */
#define THREAD_SHARED ((uintptr_t)1)
struct thread_entry {
	uintptr_t lock, caller; /* lock is 0: the place is free */
	struct locks_instance *instance;
	struct locks_row *row;
	struct locks_quantity *counts; /* of the row; NULL: nothing is counted for it */
};

struct thread_index {
	struct thread_entry *entry;
	uint32_t places, n; /* a power of two, and how many are taken */
};

/* Beside a lock that it holds, where events are counted. */
struct thread_held {
	struct locks_quantity *counts;
	struct moment since;
};

struct thread {
	uint32_t ready; /* all of it may be read and written */
	uint32_t n_waiting;
	uint32_t unwinding; /* the unwinder is at work */
	uint32_t own;       /* 1: it has a slot; 0 in a child, where all of this is cleared */
	uint32_t measured;  /* what `ready` becomes when it has been written: 0 once measuring stops
			     */
	/* Of a block of so many attempts: those that are left, and how many of them when the one
	 * comes that is timed. */
	uint32_t sample, left, drawn;
	uint64_t random; /* not 0 */
	struct locks_thread *slot;
	uint32_t place;       /* the number of its slot */
	struct thread *inner; /* NULL: none yet */
	struct thread_index index;
	uint32_t rows;             /* the first of its rows; 0: none */
	struct thread_entry other; /* for all that has no room */
	struct locks_instance no_instance;
	struct locks_thread own_slot; /* of an inner one */
	struct events *events;        /* NULL: nothing is counted but the time */
	struct events own_events;
	struct moment last;                  /* when its state began */
	struct thread_held held[LOCKS_HELD]; /* as those of the slot */
};

extern __thread struct thread *thread_self __attribute__((tls_model("initial-exec")));

/* Where thread_self is not ready: what there is to measure with, made where that can be; NULL:
 * this call is not measured. The functions of real.h are there then, as far as they can be. */
struct thread *thread_enter(void);
/* The row of a lock and a caller that the thread meets for the first time, or that was another
 * lock before. */
struct thread_entry *thread_add_lock(struct thread *t, uintptr_t lock, enum locks_kind kind,
				     uintptr_t caller);

/* Lets no thread write any more: measuring has stopped. */
void thread_stop_all(void);
/* The number that the kernel has for the calling thread; 0: it has no slot. */
uint32_t thread_id(void);
/* In a child: all of that is its parent's. */
void thread_forget(void);

static inline uint32_t thread_place(const struct thread_index *index, uintptr_t lock,
				    uintptr_t caller)
{
	const uint64_t hash = ((uint64_t)lock >> 3 ^ (uint64_t)caller << 20) * 0x9e3779b97f4a7c15;

	return (uint32_t)(hash >> 32) & (index->places - 1);
}

/* NULL: the thread meets it for the first time. */
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
