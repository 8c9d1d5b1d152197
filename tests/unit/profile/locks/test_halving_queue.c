/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The model of threads that wait for locks, beside exact solutions and a simulation. */
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "profile/locks/halving.h"
#include "tap.h"

#define MOST_THREADS 16

static void check(double got, double want, double percent, const char *what)
{
	tap_ok(fabs(got - want) <= want * percent / 100, "%s: %.4f, not %.4f", what, got, want);
}

/* --- exact solutions --- */

/* The machine-repairman model: the idle probability of the repairman is 1 / sum over k of
 * N! / (N - k)! (S / Z)^k. */
static double repairman(uint32_t n, double think, double hold)
{
	double term = 1, sum = 1;

	for (uint32_t k = 0; k < n; k++)
		sum += term *= (n - k) * hold / think;
	return n * hold / (1 - 1 / sum);
}

/* Buzen's convolution, for locks with these demands: N G(N) / G(N - 1). */
static double convolution(const struct queue_model *m)
{
	double g[MOST_THREADS + 1] = {1};

	for (uint32_t i = 1; i <= m->n_threads; i++)
		g[i] = g[i - 1] * m->think / i;
	for (size_t k = 0; k < m->n; k++)
		for (uint32_t i = 1; i <= m->n_threads; i++)
			g[i] += m->lock[k].visits * m->lock[k].hold * g[i - 1];
	return m->n_threads * g[m->n_threads] / g[m->n_threads - 1];
}

static void test_exact(void)
{
	static const double think[] = {1, 5, 50};
	struct queue_model m = {.lock = {{1, 2, 1}}, .n = 1};
	double wait[QUEUE_LOCKS], cycle;

	for (size_t i = 0; i < sizeof think / sizeof *think; i++) {
		m.think = think[i];
		for (m.n_threads = 1; m.n_threads <= MOST_THREADS; m.n_threads *= 2)
			check(queue_random(&m, wait), repairman(m.n_threads, think[i], 2), 1e-6,
			      "one lock");
		m.n_threads = 4;
		cycle = queue_random(&m, wait);
		check(cycle, think[i] + 2 + wait[0], 1e-6, "the cycle is all of its parts");
	}
	m = (struct queue_model){4, 8, {{2, 1, 1}}, 1};
	check(queue_random(&m, wait), 2 * repairman(4, 4, 1), 1e-6, "two visits in a cycle");
	cycle = queue_random(&m, wait);
	check(2 + wait[0], cycle - 8, 1e-6, "with their waits");
	m = (struct queue_model){5, 4, {{1, 1, 1}, {2, 0.5, 1}, {0.5, 4, 1}}, 3};
	check(queue_random(&m, wait), convolution(&m), 1e-6, "three locks");
	/* E. D. Lazowska and others, Quantitative System Performance (1984), chapter 6: demands of
	 * 0.605, 2.1 and 1.35 s, think time 15 s: with 3 users, 0.152 in a second. */
	m = (struct queue_model){3, 15, {{1, 0.605, 1}, {1, 2.1, 1}, {1, 1.35, 1}}, 3};
	check(3 / queue_random(&m, wait), 0.152, 0.5, "the example of a text book");
}

/* --- a simulation --- */

/* Returns a number above 0, up to 1. */
static double draw(uint64_t *seed)
{
	*seed = *seed * 6364136223846793005u + 1442695040888963407u;
	return (double)((*seed >> 11) + 1) / 9007199254740992.0;
}

static double exponential(uint64_t *seed, double mean)
{
	return -mean * log(draw(seed));
}

/* Draws a time with this mean and squared coefficient of variation: constant, the sum of two
 * exponential times, or exponential. */
static double draw_hold(uint64_t *seed, const struct queue_lock *l)
{
	if (l->variation <= 0)
		return l->hold;
	if (l->variation < 1)
		return exponential(seed, l->hold / 2) + exponential(seed, l->hold / 2);
	return exponential(seed, l->hold);
}

/* Simulates threads that think, and then acquire each lock in turn, first come, first served. All
 * arrivals at all locks are handled in the order of time. Returns the mean cycle time. */
static double simulate(const struct queue_model *m, bool constant_think)
{
	double ready[MOST_THREADS], free_at[QUEUE_LOCKS] = {0}, now = 0;
	size_t at[MOST_THREADS] = {0};
	uint64_t seed = 42, cycles = 0;

	for (uint32_t t = 0; t < m->n_threads; t++)
		ready[t] = exponential(&seed, m->think + 1);
	while (cycles < 60000) {
		uint32_t t = 0;
		size_t k;

		for (uint32_t i = 1; i < m->n_threads; i++)
			t = ready[i] < ready[t] ? i : t;
		now = ready[t];
		k = at[t];
		free_at[k] = fmax(free_at[k], now) + draw_hold(&seed, &m->lock[k]);
		ready[t] = free_at[k];
		at[t] = (k + 1) % m->n;
		if (at[t])
			continue;
		ready[t] += constant_think ? m->think : exponential(&seed, m->think);
		cycles++;
	}
	return m->n_threads * now / (double)cycles;
}

static void test_simulation(void)
{
	static const double think[] = {1, 4, 12, 40}, variation[] = {0, 0.5, 1};
	double wait[QUEUE_LOCKS];

	for (size_t i = 0; i < 4; i++)
		for (size_t k = 0; k < 3; k++) {
			struct queue_model m = {8, think[i], {{1, 2, variation[k]}}, 1};
			char what[64];

			snprintf(what, sizeof what, "think %g, variation %g", think[i],
				 variation[k]);
			check(queue_random(&m, wait), simulate(&m, false), 1, what);
		}
	check(queue_random(&(struct queue_model){6, 10, {{1, 2, 0}, {1, 3, 1}}, 2}, wait),
	      simulate(&(struct queue_model){6, 10, {{1, 2, 0}, {1, 3, 1}}, 2}, false), 5,
	      "two locks in sequence");
}

static void test_in_step(void)
{
	struct queue_model m = {4, 10, {{1, 2, 0}, {1, 1, 0}}, 2};

	check(queue_in_step(&m), simulate(&m, true), 0.1, "constant times: no thread waits");
	m.lock[0].hold = 5;
	check(queue_in_step(&m), simulate(&m, true), 0.1, "the lock is always held");
}

/* No more than one thread can hold a lock. */
static void test_limit(void)
{
	double wait[QUEUE_LOCKS];

	for (uint32_t n = 2; n <= 1000; n *= 3) {
		const struct queue_model one = {n, 1, {{1, 2, 0}}, 1},
					 two = {n, 1, {{1, 2, 0}, {1, 1, 0}}, 2};

		tap_ok(queue_random(&one, wait) >= 2 * n && queue_random(&two, wait) >= 2 * n,
		       "%u threads", n);
	}
}

int main(void)
{
	test_exact();
	test_simulation();
	test_in_step();
	test_limit();
	return tap_done();
}
