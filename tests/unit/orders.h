/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * orders - runs a test with random orders of its steps, each derived from a seed.
 *
 * ORDERS_SECONDS=N continues for N seconds with new orders; ORDERS_SEED=N runs a single one.
 */
#ifndef TESTS_ORDERS_H
#define TESTS_ORDERS_H

#include <stdlib.h>

#include "base/clock.h"
#include "tap.h"

static inline uint64_t orders_number(const char *name)
{
	const char *text = getenv(name);

	return text ? strtoull(text, NULL, 10) : 0;
}

/* Runs the test with many seeds. try_order() returns a description of the failure with a seed, NULL
 * if there is none. Returns the exit status for main(). */
static inline int orders_try(const char *(*try_order)(uint64_t seed), uint64_t rounds,
			     const char *what)
{
	const uint64_t end_ns =
		clock_ns(CLOCK_MONOTONIC) + orders_number("ORDERS_SECONDS") * 1000000000u;
	const uint64_t first = orders_number("ORDERS_SEED");
	const char *wrong = NULL;
	uint64_t n = 0;

	do
		wrong = try_order(first + n++);
	while (!wrong && !first && (n < rounds || clock_ns(CLOCK_MONOTONIC) < end_ns));
	if (wrong)
		printf("# ORDERS_SEED=%llu: %s\n", (unsigned long long)(first + n - 1), wrong);
	tap_ok(!wrong, "%s", what);
	printf("# %llu orders\n", (unsigned long long)n);
	return tap_done();
}

#endif
