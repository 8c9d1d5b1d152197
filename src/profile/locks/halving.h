/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * halving - predicts how much of the time would be saved if the hold time of a lock were halved.
 *
 * The N threads that use locks are taken for customers of the network of queues of queue.h. All of
 * its parameters are measured: of each lock, the acquisitions and the mean and deviation of the
 * holds; the think time is the rest of the threads' time, without the waits. The prediction is the
 * cycle time with one hold time halved, and everything else unchanged, divided by that of the
 * present hold times. It is the share of the time for the same work, or, of threads that run for a
 * fixed time, for a cycle.
 *
 * A prediction is made only if all of this is so; else `reason` says what is not:
 *
 *   threads    two or more, all of which do the same: acquisitions, times of waits and of holds are
 *              alike, and so are their starts and ends. Threads with few acquisitions may differ.
 *   CPUs       the threads seldom waited for one: else holds contain such waits, and would not be
 *              halved. With the hold halved, there are still enough CPUs.
 *   locks      each has one holder at a time, which waits for nothing else: no readers, no nested
 *              locks, and few waits for condition variables, semaphores, barriers and futexes,
 * which depend on other threads. numbers    enough acquisitions, all of them timed; hold times that
 * vary at most as an exponential distribution does. the model  its cycle time and the waits for
 * each lock agree with the measured ones. There are two models, for threads at random times and in
 * step. If both agree with what was measured, their predictions must agree, too.
 */
#ifndef PROFILE_LOCKS_HALVING_H
#define PROFILE_LOCKS_HALVING_H

#include "profile/locks/report.h"

/* The most locks with a prediction. */
#define HALVING_LOCKS 3

struct halving {
	const struct locks_instance *instance; /* borrowed from the copy */
	uint64_t hold;                         /* the mean hold time at present, in ticks */
	double saved;                          /* the share of the time, from 0 to 1 */
};

struct halvings {
	/* The locks whose halved hold time saves most, the most first. */
	struct halving v[HALVING_LOCKS];
	size_t n;
	const char *reason; /* why there is no prediction; NULL: v has all */
	uint32_t n_threads; /* the threads that use the locks */
	uint64_t time;      /* from the start of the first one to the end of the last, in ticks */
};

/* Makes the predictions. Sorts the rows of the copy. */
void halving_find(struct halvings *h, const struct locks_copy *c, const struct locks_report *r);

#endif
