/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * unseen - the CPU time of an interval that no row has.
 *
 * A task that begins and ends between two refreshes is in no sample, and what a task did after its
 * last reading is in none either. The kernel counts their time in the times of the CPUs only, so it
 * is the difference:
 *
 *	unseen = Σ CPUs (user + nice + system) - Σ tasks (CPU time)
 *
 * Both sides are in % of one CPU. The left sum has the resolution of clock ticks, so the difference
 * may be below 0, and small ones mean nothing: see unseen_matters().
 *
 * Pure.
 */
#ifndef MODEL_UNSEEN_H
#define MODEL_UNSEEN_H

#include <stdbool.h>

#include "base/value.h"
#include "model/delta.h"

/* The use of the CPUs by tasks in an interval, in % of one CPU. */
struct unseen {
	struct value busy;   /* of all tasks: user, nice and system time of the CPUs */
	struct value unseen; /* of those without a row; if it is unknown, so is busy */
};

/* Computes the use from a delta of tasks or processes that were not grouped. Both numbers are
 * unknown (QUALITY_NOT_READ) if the times of the CPUs are, or if the sample lacks living tasks: a
 * filter left some out, tiptop is in a container, or /proc shows only the user's own (hidepid). A
 * task that ran, but whose CPU time is unknown, counts as unseen. */
struct unseen unseen_compute(const struct delta *d);
/* Returns whether the unseen time is above what ticks and shifted intervals explain: at least 25 %
 * of one CPU, and a quarter of the use. */
bool unseen_matters(const struct unseen *u);

#endif
