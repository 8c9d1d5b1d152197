/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * count - one reading of one counter, as the kernel gives it.
 *
 * value       events counted while the counter was on the PMU
 * enabled_ns  time during which the task ran and the counter wanted to count
 * running_ns  the part of enabled_ns during which it was on the PMU; less than enabled_ns when
 *             there are too few counters and the kernel multiplexes them
 *
 * All three only grow while the counter is open.
 */
#ifndef BASE_COUNT_H
#define BASE_COUNT_H

#include <stdint.h>

/* The scale of an event on a kind of cores that never does what the counter of the screen counts.
 * The value of the event is ignored; the event is opened for enabled_ns and running_ns, which show
 * that no part of the count is missing. */
#define SCALE_NOTHING (-1.0)

struct count {
	uint64_t value, enabled_ns, running_ns;
};

static inline void count_add(struct count *sum, const struct count *more)
{
	sum->value += more->value;
	sum->enabled_ns += more->enabled_ns;
	sum->running_ns += more->running_ns;
}

/* Adds count[i] to sum[i] for each i below n whose bit is set in members. */
static inline void count_add_members(struct count *sum, const struct count *count, int n,
				     uint64_t members)
{
	for (int i = 0; i < n; i++)
		if (members >> i & 1)
			count_add(&sum[i], &count[i]);
}

#endif
