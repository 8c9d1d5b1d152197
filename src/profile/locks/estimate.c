/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "profile/locks/estimate.h"

#include <math.h>

/* Returns the standard deviation in ticks; NaN: unknown. mixed: contended calls, which are all
 * timed, are over-represented among the timed ones, so their deviation is not that of all calls. */
static double stddev_of(const struct locks_quantity *q, bool mixed)
{
	return q->n > 1 && !mixed ? sqrt(locks_variance(q)) : NAN;
}

struct locks_estimate locks_estimate(const struct locks_row *row, enum locks_phase phase)
{
	const struct locks_quantity *q = &row->phase[phase];
	const bool waits = phase == LOCKS_ACQUIRE;
	const uint64_t slow = waits ? row->contended : 0, waited = waits ? row->waited : 0,
		       drawn = locks_minus(q->n, slow), n = locks_n(row, phase),
		       quick = locks_minus(n, slow);
	struct locks_estimate e = {
		.n = n,
		.exact = !row->untimed[phase],
		.stddev = stddev_of(q, row->untimed[phase] && slow),
		.max = q->max,
	};

	e.known = n && (e.exact || !quick || drawn);
	if (e.exact)
		e.sum = locks_sum(q);
	else if (e.known)
		e.sum = waited + (quick ? (uint64_t)((double)locks_minus(locks_sum(q), waited) /
						     (double)drawn * (double)quick)
					: 0);
	return e;
}

uint64_t locks_estimate_trying(const struct locks_row *row)
{
	return locks_estimate(row, LOCKS_ACQUIRE).sum + row->lost + row->under_way;
}
