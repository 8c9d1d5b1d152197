/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * threads - what each thread of a process did with locks, from a copy of its table and the report
 * made of it: the paper's table 2, by threads.
 *
 * Those that waited longest come first. The last one is of all that are not known one by one, as
 * the table had no room for them when they ended: what the process did, less what the others did.
 * It is left out where there is nothing of it. So the sums over all are the numbers of the report,
 * exactly.
 *
 * All times are in ticks of the process: ns_per_tick / 2^32 ns each.
 */
#ifndef PROFILE_LOCKS_THREADS_H
#define PROFILE_LOCKS_THREADS_H

#include "profile/locks/report.h"

struct thread_locks {
	uint32_t tid, number; /* number: from 1 on, in the order in which they met a lock */
	const char *name;     /* in the copy; NULL: these are several */
	uint32_t n;           /* how many threads: 1, but of the last one */
	bool alive;           /* it had not ended when the process did */
	uint64_t time, ticks[LOCKS_STATES];
	uint64_t acquisitions; /* of what is held then */
	/* How many locks these were, or at least so many, where several are one or had no room; of
	 * several threads it is not known. */
	uint64_t instances;
	bool at_least;
};

struct locks_threads {
	struct thread_locks *v;
	size_t n;
};

/* The rows of the copy are put into another order. */
void locks_threads_make(struct locks_threads *t, const struct locks_copy *c,
			const struct locks_report *r);
void locks_threads_done(struct locks_threads *t);
/* Acquisitions in 10,000 ticks of its time. */
double locks_threads_density(const struct thread_locks *one);

#endif
