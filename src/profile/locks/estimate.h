/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * estimate - estimates the time of all calls of a row under sampling, when only one in N calls is
 * timed (inject/preload/table.h).
 *
 * Contended acquisitions are always timed; their times add up to `waited`. The time of the other
 * acquisitions is estimated from the mean of those among them that were drawn for timing, each with
 * the same probability:
 *
 *     sum = waited + (timed - waited) / (n_timed - contended) * (n - contended)
 *
 * For holds and releases, `contended` and `waited` are 0. If all calls were timed, the sum is
 * exact.
 */
#ifndef PROFILE_LOCKS_ESTIMATE_H
#define PROFILE_LOCKS_ESTIMATE_H

#include "inject/preload/table.h"

/* Returns all - part; 0 if part is larger, which is possible in a damaged table. */
static inline uint64_t locks_minus(uint64_t all, uint64_t part)
{
	return all > part ? all - part : 0;
}

struct locks_estimate {
	uint64_t n;    /* calls */
	bool known;    /* false: no calls, or none of the uncontended ones was timed */
	bool exact;    /* all calls were timed */
	uint64_t sum;  /* ticks */
	double stddev; /* ticks; NaN: unknown */
	uint64_t max;  /* ticks; over the timed calls */
};

struct locks_estimate locks_estimate(const struct locks_row *row, enum locks_phase phase);

/* Returns the time that threads spent in attempts to acquire the lock of a row: successful ones
 * (with sampling, estimated), failed ones, and those in progress. */
uint64_t locks_estimate_trying(const struct locks_row *row);

#endif
