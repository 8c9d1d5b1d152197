/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * states - divides the time of a thread by what it did: it ran, was ready to run without a CPU, was
 * blocked for a lock or for work, or did what nothing here measures.
 *
 * The kernel counts the time on a CPU and the time ready to run; the preloaded object times the
 * waits, and the time on a CPU within them (inject/preload/sched.h). The time ready to run is known
 * as a total only: its part within waits is taken to be the share that blocked waits have in the
 * times that the thread got a CPU, as each wait ends with one; and it is within the bounds that the
 * other times set. If a thread only runs and waits for what is in the table, this is exact.
 *
 * A wait is blocked for a lock or for work as the lines of the report say. Of conditions,
 * semaphores and futexes, threads that have exited have one time for all of a kind: it is divided
 * as the lines of this kind are.
 */
#ifndef PROFILE_LOCKS_STATES_H
#define PROFILE_LOCKS_STATES_H

#include <stdbool.h>
#include <stddef.h>

#include "inject/preload/table.h"

struct locks_line;

enum states_id {
	STATES_RUNNING,
	STATES_RUNNABLE,
	STATES_LOCK, /* blocked for a lock */
	STATES_WORK, /* blocked for something to do */
	STATES_OTHER,
	STATES_N
};

/* Times in ns, whose sum is the life of the threads. */
struct states {
	uint64_t n_threads, n_known; /* the time of the others is STATES_OTHER */
	uint64_t ns[STATES_N];
	uint64_t lock_run; /* the part of STATES_RUNNING in waits for locks */
};

/* By kind of lock: the share of the waits that are for a lock, from 0 to 1. */
struct states_shares {
	double lock[LOCKS_N_KINDS];
};

void states_find_shares(struct states_shares *shares, const struct locks_line *line, size_t n);
/* Divides the time of n_threads threads, `ticks` ticks of scale / 2^32 ns. */
void states_make(struct states *to, const struct locks_sched *s, uint64_t n_threads, uint64_t ticks,
		 uint64_t scale, const struct states_shares *shares);
void states_add(struct states *to, const struct states *from);
/* Returns the times of all threads but those in `part`. */
struct states states_minus(const struct states *all, const struct states *part);
/* Returns the sum of all states. */
uint64_t states_sum(const struct states *s);

#endif
