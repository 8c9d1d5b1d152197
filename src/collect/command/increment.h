/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * increment - what a counter has counted between two reads of its group.
 */
#ifndef COLLECT_COMMAND_INCREMENT_H
#define COLLECT_COMMAND_INCREMENT_H

#include "base/count.h"
#include "base/value.h"
#include "pmu/perf/event.h"

/* The sum over its parts, of which at most one is on a CPU at a time. An event that several groups
 * have is taken from the first. unread: bits of members that could not be read. */
struct value count_increment(const struct event_set *set, int counter, const struct count *now,
			     const struct count *last, uint64_t unread);
/* The same of n numbers that only grow, which are no counters: unknown has a bit for each that
 * could not be read, whose last value stays. */
void number_increments(const uint64_t *now, uint64_t unknown, int n, struct count *last,
		       struct value *out);

#endif
