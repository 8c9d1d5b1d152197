/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * work - what a row did in an interval, by the events that all kernels know, whatever a screen
 * calls them. Pure.
 */
#ifndef VIEW_WORK_H
#define VIEW_WORK_H

#include "model/delta.h"

/* Where the events stand in a set; -1: they are not counted. All 0: of no set. */
struct work_events {
	const struct sample_events *of;
	int instructions, cycles, misses, mispredicted;
};

/* What is not known is NaN. */
struct work {
	double cpu_share; /* 1 is one CPU */
	double seconds;   /* the interval of the counts */
	double instructions, cycles;
	double misses; /* of caches, as cache-misses counts them here */
	double mispredicted;
	int cpu; /* on which it ran last; -1: not known */
};

/* Reads an interval of a row. e: begins empty, and is good for rows of other sets, too, as long as
 * these live. */
void work_read(struct work *w, struct work_events *e, const struct delta_row *row);

/* The retired instructions of a row; no number, where nobody counted them. */
struct value work_instructions(const struct delta_row *row);

#endif
