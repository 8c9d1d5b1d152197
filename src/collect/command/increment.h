/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * increment - computes the increment of a counter between two reads of its group.
 */
#ifndef COLLECT_COMMAND_INCREMENT_H
#define COLLECT_COMMAND_INCREMENT_H

#include "base/value.h"
#include "pmu/perf/event.h"

/* Returns the increment of a counter, scaled if it was multiplexed. It is the sum over the parts of
 * the counter, of which a task uses one at a time. If several groups have the same event, the first
 * group is used. unread: bit i: member i could not be read. */
struct value count_increment(const struct event_set *set, int counter, const struct count *now,
			     const struct count *last, uint64_t unread);
/* Sets out[] to the increments of n numbers of the kernel that only grow, and last[] to the
 * numbers. unknown: bit i: number i could not be read; out[i] is then unknown and last[i] stays. */
void number_increments(const uint64_t *now, uint64_t unknown, int n, struct count *last,
		       struct value *out);

#endif
