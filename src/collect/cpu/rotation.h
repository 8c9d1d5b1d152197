/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * rotation - which of several sets is counted when.
 *
 * Each set has an interval, one after the other, and then again from the first one: a cycle. With a
 * period, the next cycle begins that long after the last one did; one that is shorter than a cycle
 * makes no difference.
 *
 * All times are reckoned from the begin, so that they do not drift. A turn that has ended before
 * anybody came to count it is passed over.
 */
#ifndef COLLECT_CPU_ROTATION_H
#define COLLECT_CPU_ROTATION_H

#include <stdint.h>

struct rotation {
	uint64_t begin_ns, interval_ns;
	uint64_t cycle_ns; /* from one cycle to the next */
	uint64_t n_sets;
	uint64_t number; /* of the present turn, from 0 */
};

/* period_s: 0: none. */
void rotation_begin(struct rotation *t, int n_sets, double interval_s, double period_s,
		    uint64_t now_ns);
/* The set whose turn it is, and the number of the cycle, from 0. */
int rotation_set(const struct rotation *t);
uint64_t rotation_cycle(const struct rotation *t);
uint64_t rotation_start_ns(const struct rotation *t);
uint64_t rotation_end_ns(const struct rotation *t);
/* Goes to the next turn that does not end by now. Returns how many were passed over. */
uint64_t rotation_next(struct rotation *t, uint64_t now_ns);

#endif
