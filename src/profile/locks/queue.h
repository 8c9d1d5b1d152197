/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * queue - a model of threads that wait for locks: a closed network of queues.
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
 * for C = 1, whatever the distribution of Z, and within 6 % below (test_queue), where X is limited
 * to 1 / (V_k S_k), as a lock has one holder.
 *
 * queue_in_step() is the least cycle time that any such threads can have (P. J. Denning, J. P.
 * Buzen: The Operational Analysis of Queueing Network Models, ACM Computing Surveys 10(3), 1978):
 * the longer one of Z + sum of V_k S_k, and N V_k S_k for each lock. Threads whose times are all
 * constant take turns and have it.
 */
#ifndef PROFILE_LOCKS_QUEUE_H
#define PROFILE_LOCKS_QUEUE_H

#include <stddef.h>
#include <stdint.h>

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
