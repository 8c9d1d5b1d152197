/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * states - divides the time of threads by what they did: they ran, were ready to run without a CPU,
 * were blocked for a lock or for work, or did not run for a reason that is not measured.
 *
 * The kernel counts the time on a CPU and the time ready to run; the preloaded object measures the
 * waits, and the time on a CPU within them (inject/preload/thread.h). The time ready to run is
 * known as a total only, but part of it is within waits, as a thread whose wait ends is ready to
 * run until it gets a CPU. This part is estimated: the total times the share of waits among the
 * times that the thread got a CPU, within the bounds that the other times set. If a thread only
 * runs and waits for what is in the table, the result is exact.
 *
 * The lines of the report say whether a wait is for a lock or for work. For condition variables,
 * semaphores and futexes, only one time of a thread is known for each kind: it is divided as the
 * times of all lines of this kind are.
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
	/* n_known: the threads with totals; the time of the others is STATES_OTHER. */
	uint64_t n_threads, n_known;
	uint64_t ns[STATES_N];
	uint64_t lock_run; /* the part of STATES_RUNNING that is within waits for locks */
};

/* By kind of lock: the share of the waits that are for a lock, from 0 to 1. */
struct states_shares {
	double lock[LOCKS_N_KINDS];
};

/* Sets the shares from the n lines of a report. */
void states_find_shares(struct states_shares *shares, const struct locks_line *line, size_t n);
/* Divides the time of n_threads threads, in all `ticks` ticks of scale / 2^32 ns. s: the sums over
 * these threads. */
void states_make(struct states *to, const struct locks_sched *s, uint64_t n_threads, uint64_t ticks,
		 uint64_t scale, const struct states_shares *shares);
void states_add(struct states *to, const struct states *from);
/* Returns the times of all threads but those in `part`. */
struct states states_minus(const struct states *all, const struct states *part);
/* Returns the sum of all states. */
uint64_t states_sum(const struct states *s);

#endif
