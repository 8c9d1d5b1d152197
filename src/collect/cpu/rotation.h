/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * rotation - the schedule of several event sets that are counted in turn.
 *
 * Each set is counted for an interval; a cycle is one interval of each set. With a period, cycles
 * begin a period apart; a period shorter than a cycle has no effect.
 *
 * All times are computed from the start, so they do not drift. Turns that ended before they were
 * counted are skipped.
 */
#ifndef COLLECT_CPU_ROTATION_H
#define COLLECT_CPU_ROTATION_H

#include <stdint.h>

struct rotation {
	uint64_t begin_ns, interval_ns;
	uint64_t cycle_ns; /* from the start of a cycle to the start of the next */
	uint64_t n_sets;
	uint64_t number; /* number of the current turn, from 0 */
};

/* Starts with set 0 at now_ns. period_s 0: no period. */
void rotation_begin(struct rotation *t, int n_sets, double interval_s, double period_s,
		    uint64_t now_ns);
/* Return the index of the current set, and the number of the current cycle, from 0. */
int rotation_set(const struct rotation *t);
uint64_t rotation_cycle(const struct rotation *t);
uint64_t rotation_start_ns(const struct rotation *t);
uint64_t rotation_end_ns(const struct rotation *t);
/* Advances to the next turn that ends after now_ns. Returns how many turns were skipped. */
uint64_t rotation_next(struct rotation *t, uint64_t now_ns);

#endif
