/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * halving - predicts how much of the time would be saved if the hold time of a lock were halved.
 *
 * The N threads that use locks are the customers of a closed network of queues (section queue). All
 * of its parameters are measured: of each lock, the acquisitions and the mean and deviation of the
 * holds; the think time is the rest of the threads' time, without the waits. The model computes the
 * cycle time with one hold time halved, and everything else unchanged, and that with the present
 * hold times. The saved share is 1 minus the quotient of both: of the time for the same work, or,
 * if threads run for a fixed time, of the time for a cycle.
 *
 * A prediction is made only if these conditions are met; else `reason` names one that is not:
 *
 * Threads: two or more, all of which do the same: acquisitions, times of waits and of holds are
 * alike, and so are their starts and ends. Threads with few acquisitions may differ.
 *
 * CPUs: the threads seldom waited for a CPU: else holds contain such waits, and would not be
 * halved. With the hold halved, there are still enough CPUs.
 *
 * Locks: each has one holder at a time, which waits for nothing else: no readers, no nested locks,
 * and few waits for condition variables, semaphores, barriers and futexes, which depend on other
 * threads.
 *
 * Numbers: there are enough acquisitions, all of them timed; hold times vary little more than an
 * exponential distribution does.
 *
 * Model: the cycle times agree with the measured ones. There are two models, for threads at random
 * times and for threads in step; at random times, the waits for each lock must agree, too. If both
 * models agree with the measured times, their predictions must agree with each other, and the
 * smaller saving is predicted.
 */
#ifndef PROFILE_LOCKS_HALVING_H
#define PROFILE_LOCKS_HALVING_H

#include <stddef.h>
#include <stdint.h>

#include "profile/locks/report.h"

/* The most locks with a prediction. */
#define HALVING_LOCKS 3

struct halving {
	const struct locks_instance *instance; /* borrowed from the copy */
	uint64_t hold;                         /* the mean hold time at present, in ticks */
	double saved;                          /* the share of the time, from 0 to 1 */
};

struct halvings {
	/* The locks whose halved hold time saves most, the most first; locks that save less than
	 * 1 % of the time are left out. */
	struct halving v[HALVING_LOCKS];
	size_t n;
	const char *reason; /* why there is no prediction; NULL: there are predictions, or no lock
			       saves enough */
	uint32_t n_threads; /* the threads that use the locks */
	uint64_t time;      /* from the start of the first one to the end of the last, in ticks */
};

/* Makes the predictions. Sorts the rows of the copy. */
void halving_find(struct halvings *h, const struct locks_copy *c, const struct locks_report *r);

/* ---- queue ----
 *
 * A model of threads that wait for locks: a closed network of queues.
 *
 * N threads run in cycles. In each cycle, a thread spends the time Z outside of all locks (the
 * think time), and acquires lock k V_k times, each time for S_k on average. The mean cycle time R
 * and the mean waits W_k follow; N / R is the throughput.
 *
 * queue_random() assumes that threads arrive at random: the times between holds are exponential.
 *
 * With one lock, it is the model of machines that one repairman serves, with any distribution of
 * the service (L. Takacs: Introduction to the Theory of Queues, 1962, chapter 5). The share of the
 * time for which the lock is held is U = A / (1 + A), and R = N V S / U, with
 *
 *     A = N V S / Z  sum, for j = 0 .. N-1, of  binomial(N-1, j) B_j
 *     B_j = product, for i = 1 .. j, of  1 / F(i V / Z) - 1
 *
 * F is the Laplace transform of the hold times, here that of the gamma distribution with their
 * mean and deviation, F(s) = (1 + s S C) ^ (-1 / C), where C is the squared coefficient of
 * variation. It is constant for C = 0 and exponential for C = 1.
 *
 * With several locks, it is mean value analysis (M. Reiser, S. S. Lavenberg: Mean-Value Analysis of
 * Closed Multichain Queuing Networks, Journal of the ACM 27(2), 1980), which adds one thread after
 * the other:
 *
 *     W_k(n) = S_k (Q_k(n-1) - U_k(n-1)) + U_k(n-1) S_k (1 + C_k) / 2
 *     R(n)   = Z + sum of V_k (S_k + W_k(n)),   X(n) = n / R(n)
 *     Q_k(n) = X(n) V_k (S_k + W_k(n)),         U_k(n) = X(n) V_k S_k
 *
 * Q_k is the mean number of threads that hold lock k or wait for it, U_k the share of the time for
 * which it is held. An arriving thread sees the queue of a network with one thread less, and finds
 * the lock held with the probability U_k; the hold lasts for S_k (1 + C_k) / 2 longer on average,
 * its mean residual life (M. Reiser: A Queueing Network Analysis of Computer Communication Networks
 * with Window Flow Control, IEEE Transactions on Communications 27(8), 1979). The result is exact
 * for C = 1, whatever the distribution of Z, and within 6 % below (test_halving_queue), where X is
 * limited to 1 / (V_k S_k), as a lock has one holder.
 *
 * queue_in_step() is the least cycle time that any such threads can have (P. J. Denning, J. P.
 * Buzen: The Operational Analysis of Queueing Network Models, ACM Computing Surveys 10(3), 1978):
 * the longer one of Z + sum of V_k S_k, and N V_k S_k for each lock. Threads whose times are all
 * constant take turns and have it.
 */

/* The most locks of a model. */
#define QUEUE_LOCKS 16

struct queue_lock {
	double visits;    /* acquisitions in a cycle */
	double hold;      /* the mean time of each */
	double variation; /* the squared coefficient of variation of this time */
};

struct queue_model {
	uint32_t n_threads;
	double think;
	struct queue_lock lock[QUEUE_LOCKS];
	size_t n;
};

/* Return the mean cycle time of threads at random times, and of threads in step. wait: [m->n], set
 * to the mean time of a cycle in which a thread waits for each lock; queue_in_step() does not know
 * for which one. Times are in the unit of the model. */
double queue_random(const struct queue_model *m, double wait[QUEUE_LOCKS]);
double queue_in_step(const struct queue_model *m);

#endif
