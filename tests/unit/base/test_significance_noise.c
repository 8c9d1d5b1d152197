/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The error rate of the comparison of means on generated noise, white and autocorrelated.
 */
#include <stdint.h>
#include <stdlib.h>

#include "base/significance.h"
#include "tap.h"

/* splitmix64 (Steele, Lea and Flood 2014). */
static uint64_t next(uint64_t *seed)
{
	uint64_t z = *seed += 0x9e3779b97f4a7c15u;

	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
	z = (z ^ z >> 27) * 0x94d049bb133111ebu;
	return z ^ z >> 31;
}

static double uniform(uint64_t *seed)
{
	return ((double)(next(seed) >> 11) + 0.5) / 9007199254740992.0;
}

static double normal(uint64_t *seed)
{
	const double r = sqrt(-2 * log(uniform(seed)));

	return r * cos(2 * M_PI * uniform(seed));
}

/* Returns n numbers with this mean and standard deviation; phi: the correlation of successive
 * numbers. */
static double *noise(size_t n, double mean, double sd, double phi, uint64_t seed)
{
	double *number = calloc(n, sizeof *number), state = normal(&seed);

	for (size_t i = 0; i < n; i++) {
		number[i] = mean + sd * state;
		state = phi * state + sqrt(1 - phi * phi) * normal(&seed);
	}
	return number;
}

static bool halves_differ(const double *number, size_t n)
{
	struct means_summary a, b;
	struct means_difference d;

	means_summarize(&a, number, n);
	means_summarize(&b, number + n, n);
	means_compare(&d, &a, &b);
	return d.differ;
}

/* Returns a number of trials that is large enough for a stable rate, but takes little time. */
static int trials_of(size_t n)
{
	return n > 200 ? 200 : 1000;
}

/* Adds a change to the second half of a series. Returns in how many trials the halves differ. */
static int count_found(size_t n, double phi, double change)
{
	int found = 0;

	for (uint64_t trial = 0; trial < (uint64_t)trials_of(n); trial++) {
		double *number = noise(2 * n, 1, 0.02, phi, trial << 32 | n);

		for (size_t i = n; i < 2 * n; i++)
			number[i] += change;
		found += halves_differ(number, n);
		free(number);
	}
	return found;
}

static void test_false_alarms(size_t n, double phi)
{
	const int found = count_found(n, phi, 0), trials = trials_of(n);

	tap_ok(found <= trials / 20, "halves of %zu of one run, phi %g: %d of %d differ", n, phi,
	       found, trials);
}

static void test_power(size_t n, double phi, double change)
{
	const int found = count_found(n, phi, change), trials = trials_of(n);

	tap_ok(found >= trials * 9 / 10,
	       "a change of %g %% at 2 %% noise in %zu intervals, phi %g: %d of %d are found",
	       100 * change, n, phi, found, trials);
}

int main(void)
{
	static const size_t lengths[] = {10, 15, 20, 30, 60, 100, 200, 1000};

	for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) {
		test_false_alarms(lengths[i], 0);
		test_false_alarms(lengths[i], 0.6);
		test_false_alarms(lengths[i], 0.8);
	}
	test_false_alarms(200, 0.9);
	test_false_alarms(1000, 0.9);
	test_power(10, 0, 0.05);
	test_power(20, 0, 0.05);
	test_power(60, 0, 0.05);
	test_power(30, 0.6, 0.05);
	test_power(200, 0.6, 0.05);
	test_power(60, 0.8, 0.05);
	/* A change smaller than the noise needs more intervals. */
	test_power(1000, 0, 0.005);
	return tap_done();
}
