/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * work - the work of a row in an interval, from the kernel's generic events. These are found by
 * their codes, whatever aliases the screens have for them. Pure.
 */
#ifndef VIEW_WORK_H
#define VIEW_WORK_H

#include "model/delta.h"

/* The indices of the events in a set; -1: not counted. Must be zeroed before its first use. */
struct work_events {
	const struct sample_events *of; /* the set; NULL: none yet */
	int instructions, cycles, misses, mispredicted;
};

/* Unknown numbers are NaN. */
struct work {
	double cpu_share; /* 1 is one CPU */
	double seconds;   /* the interval of the counts */
	double instructions, cycles;
	double misses; /* cache misses, as the event cache-misses counts them here */
	double mispredicted;
	int cpu; /* the CPU on which it ran last; -1: unknown */
};

/* Reads an interval of a row. e: a cache, refilled for a row with another set of events; the sets
 * must live as long as the cache. */
void work_read(struct work *w, struct work_events *e, const struct delta_row *row);

/* Returns the retired instructions of a row; no number if they were not counted. */
struct value work_instructions(const struct delta_row *row);

#endif
