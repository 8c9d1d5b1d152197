/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "inject/preload/calls_table.h"

#include <math.h>

/* The process may have written any numbers, so the sum may be NaN or infinite. */
double calls_row_variance(const struct calls_row *row)
{
	const double n = (double)row->calls, self = (double)row->self;
	const double sum = row->squares - self / n * self;

	if (row->calls < 2 || row->depth || !isfinite(sum))
		return NAN;
	return sum > 0 ? sum / (n - 1) : 0;
}

void calls_row_add(struct calls_row *to, const struct calls_row *from)
{
	to->calls += from->calls;
	to->amid += from->amid;
	to->nested += from->nested;
	to->self += from->self;
	to->total += from->total;
	to->max = from->max > to->max ? from->max : to->max;
	to->depth += from->depth;
	to->squares += from->squares;
}

void calls_thread_add(struct calls_thread *to, const struct calls_thread *from,
		      uint32_t n_functions)
{
	struct calls_row *row = calls_rows(to);
	const struct calls_row *other = calls_rows(from);

	to->program += from->program;
	to->n_too_deep += from->n_too_deep;
	for (uint32_t i = 0; i < n_functions; i++)
		calls_row_add(&row[i], &other[i]);
	for (int e = 0; e < EVENT_NOTES_MAX; e++)
		to->lacking[e] += from->lacking[e];
}

void calls_counts_add(uint64_t to[], const uint64_t from[], uint32_t n, uint32_t n_events,
		      const uint32_t lacking[])
{
	for (uint32_t i = 0; i < n * n_events; i++)
		if (!lacking[i % n_events])
			to[i] += from[i];
}
