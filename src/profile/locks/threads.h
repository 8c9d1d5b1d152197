/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * threads - computes the use of locks by each thread of a process, from a copy of its table and the
 * report made from that copy: table 2 of the LiMiT paper, by thread.
 *
 * Threads that waited longest come first. The last entry is for all threads for which the table had
 * no room when they exited: it has the numbers of the process less the numbers of the other
 * entries, and is left out if it is empty. So the sums over all entries are exactly the numbers of
 * the report.
 *
 * All times are in ticks of the process; a tick is ns_per_tick / 2^32 ns.
 */
#ifndef PROFILE_LOCKS_THREADS_H
#define PROFILE_LOCKS_THREADS_H

#include "profile/locks/report.h"

struct thread_locks {
	/* `number` is from 1 on, in the order in which threads were added to the table. */
	uint32_t tid, number;
	const char *name;    /* borrowed from the copy; NULL: several threads */
	uint32_t n;          /* the number of threads: 1, except in the last entry */
	bool alive;          /* it had not exited at the end of the process */
	uint64_t begin, end; /* unknown for several threads */
	uint64_t time, ticks[LOCKS_STATES];
	struct states states;
	uint64_t acquisitions; /* of locks of the kinds of locks_is_held() */
	/* The number of these locks; at_least: a lower bound, as several locks share a record, or
	 * had no room. Unknown for several threads. */
	uint64_t instances;
	bool at_least;
};

struct locks_threads {
	struct thread_locks *v;
	size_t n;
};

/* Makes the list. Sorts the rows of the copy. */
void locks_threads_make(struct locks_threads *t, const struct locks_copy *c,
			const struct locks_report *r);
void locks_threads_done(struct locks_threads *t);
/* Returns the acquisitions per 10,000 ticks of the thread's time. */
double locks_threads_density(const struct thread_locks *one);

#endif
