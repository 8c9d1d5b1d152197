/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * thread - the state of a thread: the index of its rows, the locks that it holds, and its slot in
 * the table; and what is added to the slot: counts of events, and times of the scheduler (sched).
 *
 * Only the thread itself writes its state. Exceptions: thread_stop_all(); thread_end_all(), which
 * writes the totals of all threads before the process ends or executes another program; and
 * thread_reopen_all(), which resets a total if no program was executed.
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

/* The struct may be read and written. THREAD_PLAIN: and all attempts are timed, by
 * arch_read_time() alone, as there are no events, and no sampling. */
enum thread_ready { THREAD_NOT_READY, THREAD_READY, THREAD_PLAIN };

struct thread {
	uint32_t ready;     /* enum thread_ready */
	uint32_t n_waiting; /* waits in progress: more than 1 if a signal handler waits during a
			       wait */
	uint32_t unwinding; /* the unwinder is running */
	uint32_t own; /* 1: the thread is measured; 0 in a child, where the kernel has cleared all
			 of this */
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
	/* The wait in progress (sched). wait_run: the CPU time at its begin, in ns; wait_weight:
	 * how many waits this reading stands for, 0: it was not made. n_waits: waits in which the
	 * thread may have been blocked, so far. */
	uint64_t wait_run;
	uint32_t wait_weight, n_waits;
	/* The call in progress in which the thread may be blocked (blocking.h). block_at: its place
	 * on the stack, 0: none; block_run, block_weight, n_blocks: as for a wait. */
	uintptr_t block_at;
	uint64_t block_run;
	uint32_t block_weight, n_blocks;
	uint32_t block_what;  /* enum locks_blocking, as far as it is known */
	uint64_t short_ticks; /* shorter calls do not count */
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

/* ---- counts ----
 *
 * Adds the counts between two readings of a thread's events: to a phase of a lock, and to
 * a state of the thread. An event whose count is unknown in one of the readings is not added.
 */

/* Adds the counts between two readings to one phase of a row's counts. */
void counts_add(const struct thread *t, struct locks_quantity *counts, enum locks_phase phase,
		const struct moment *from, const struct moment *to);
/* Adds the counts since t->last to the present state of the thread; `now` becomes t->last. */
void counts_add_state(struct thread *t, const struct moment *now);

/* ---- sched ----
 *
 * Reads how long a thread has run, and was ready to run without a CPU, and notes how long
 * it was blocked, by kind of lock (struct locks_sched).
 *
 * The totals are read when the thread starts and when it exits, or at the end of the process if it
 * lives until then. Opening a file of a thread in /proc takes as long as creating the thread. So
 * the file is not read for the start of a thread whose creation was seen: its delay up to there is
 * taken to be the time since pthread_create() was called. For a thread that lived for
 * less than 1 ms, the file is not read either: the thread is taken to have had no delay.
 *
 * For a wait in which the thread may be blocked, the thread reads its own CPU time before and
 * after: while it tries to acquire the lock, goes to sleep and wakes up, it is not blocked. As
 * these readings are system calls, they are made for the first 16 waits of a thread, and then for
 * one wait in 16, selected by a hash of the clock, which stands for 16 waits.
 *
 * The same is done for calls in which the thread may be blocked (blocking.h). Some do much work, so
 * their time on a CPU is estimated by the share of the sampled calls in which they ran.
 *
 * Nothing is read once the program has set a system call filter.
 */

/* The time at which the creation of this thread began, in ticks; 0: unknown. The new thread sets it
 * before thread_enter(). */
extern __thread uint64_t sched_created __attribute__((tls_model("initial-exec")));

/* Read the totals of the calling thread, when it starts and when it exits. Called under the guard.
 */
void sched_begin(struct locks_thread *slot);
void sched_end(struct locks_thread *slot);
/* Reads the totals of another thread of this process. Called under the guard. */
void sched_end_other(struct locks_thread *slot);

/* Begin and end a wait in which the thread may be blocked. ticks: the time of the wait. For a spin
 * lock only sched_end_wait() is called, as all of the wait is CPU time. */
void sched_begin_wait(struct thread *t);
void sched_end_wait(struct thread *t, enum locks_kind kind, uint64_t ticks);

/* Calls that take less time than this do not count: a blocked thread is away for longer. */
#define SCHED_SHORT_NS UINT64_C(5000)
/* Begin and end a call in which the thread may be blocked. Call sched_end_block() only for calls
 * that count. */
void sched_begin_block(struct thread *t, enum locks_blocking what, uint64_t now);
void sched_end_block(struct thread *t, enum locks_blocking what, uint64_t ticks);
/* Forgets a call in progress, which has ended, or which a jump has left. */
void sched_forget_block(struct thread *t);

#endif
