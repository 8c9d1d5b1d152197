/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * estimate - what all calls of a row took, where only one in so many was timed
 * (inject/preload/table.h).
 *
 * Those that found their lock taken are timed in any case: they have their own sum, `waited`. The
 * others took as long, on average, as those of them that were drawn; each was drawn with the same
 * chance. So
 *
 *     sum = waited + (timed - waited) / (n_timed - contended) * (n - contended)
 *
 * where `contended` and `waited` are 0 for holds and releases. Where all were timed, it is exact.
 */
#ifndef PROFILE_LOCKS_ESTIMATE_H
#define PROFILE_LOCKS_ESTIMATE_H

#include "inject/preload/table.h"

/* What a damaged table tells of all may be less than of its parts. */
static inline uint64_t locks_minus(uint64_t all, uint64_t part)
{
	return all > part ? all - part : 0;
}

struct locks_estimate {
	uint64_t n;    /* how often */
	bool known;    /* false: it never was, or none of those that stand for others was drawn */
	bool exact;    /* all were timed */
	uint64_t sum;  /* ticks */
	double stddev; /* ticks; NaN: not known */
	uint64_t max;  /* of those that were timed */
};

struct locks_estimate locks_estimate(const struct locks_row *row, enum locks_phase phase);

#endif
