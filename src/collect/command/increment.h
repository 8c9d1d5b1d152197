/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * increment - the count of a counter between two reads of its group.
 */
#ifndef COLLECT_COMMAND_INCREMENT_H
#define COLLECT_COMMAND_INCREMENT_H

#include "base/count.h"
#include "base/value.h"
#include "pmu/perf/event.h"

/* Returns the increment of a counter: the sum over its parts, of which at most one is on a CPU at a
 * time. If several groups have the same event, the first one is used. unread: bit i: member i could
 * not be read. */
struct value count_increment(const struct event_set *set, int counter, const struct count *now,
			     const struct count *last, uint64_t unread);
/* Sets the increments of n numbers of the kernel that only grow. unknown: bit i: number i could not
 * be read; last[i] then stays. */
void number_increments(const uint64_t *now, uint64_t unknown, int n, struct count *last,
		       struct value *out);

#endif
