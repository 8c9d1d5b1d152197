/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "profile/locks/queue.h"

#include <math.h>

/* Returns the time of a cycle for which lock k is held. */
static double demand(const struct queue_model *m, size_t k)
{
	return m->lock[k].visits * m->lock[k].hold;
}

static double largest_demand(const struct queue_model *m)
{
	double most = 0;

	for (size_t k = 0; k < m->n; k++)
		most = fmax(most, demand(m, k));
	return most;
}

/* --- one lock --- */

/* Returns 1 / F(s). */
static double inverse_transform(const struct queue_lock *l, double s)
{
	const double c = l->variation, x = s * l->hold;

	return c < 1e-6 ? exp(x) : pow(1 + x * c, 1 / c);
}

static double one_lock(const struct queue_model *m, double wait[])
{
	const struct queue_lock *l = &m->lock[0];
	const double n = m->n_threads, rate = l->visits / m->think;
	double term = 1, sum = 1, busy, cycle;

	for (uint32_t j = 1; j < m->n_threads; j++) {
		term *= (n - j) / j * (inverse_transform(l, j * rate) - 1);
		sum += term;
	}
	busy = n * rate * l->hold * sum;
	cycle = n * demand(m, 0) * (isfinite(busy) ? 1 + 1 / busy : 1);
	wait[0] = fmax(0, cycle - m->think - demand(m, 0));
	return cycle;
}

/* --- several locks --- */

/* Sets wait[] for n threads from the queues and the utilizations of one thread less. Returns the
 * cycle time. */
static double add_waits(const struct queue_model *m, const double queue[], const double used[],
			double wait[])
{
	double cycle = m->think;

	for (size_t k = 0; k < m->n; k++) {
		const double waiting = fmax(0, queue[k] - used[k]),
			     residual = used[k] * (1 + m->lock[k].variation) / 2;

		wait[k] = demand(m, k) * (waiting + residual);
		cycle += demand(m, k) + wait[k];
	}
	return cycle;
}

static double several_locks(const struct queue_model *m, double wait[])
{
	double queue[QUEUE_LOCKS] = {0}, used[QUEUE_LOCKS] = {0}, cycle = 0;

	for (uint32_t n = 1; n <= m->n_threads; n++) {
		cycle = fmax(add_waits(m, queue, used, wait), n * largest_demand(m));
		for (size_t k = 0; k < m->n; k++) {
			queue[k] = n / cycle * (demand(m, k) + wait[k]);
			used[k] = n / cycle * demand(m, k);
		}
	}
	return cycle;
}

double queue_random(const struct queue_model *m, double wait[QUEUE_LOCKS])
{
	return m->n == 1 && m->think > 0 ? one_lock(m, wait) : several_locks(m, wait);
}

double queue_in_step(const struct queue_model *m)
{
	double cycle = m->think;

	for (size_t k = 0; k < m->n; k++)
		cycle += demand(m, k);
	return fmax(cycle, m->n_threads * largest_demand(m));
}
