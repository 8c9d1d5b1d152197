/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * run_sum - adds up several runs of a command as if they were one run: each run continues the
 * counts of the runs before it, without the time between the runs.
 *
 * So ratios over all runs are ratios of sums, like the ratios of one interval.
 */
#ifndef COLLECT_COMMAND_RUN_SUM_H
#define COLLECT_COMMAND_RUN_SUM_H

#include "model/sample.h"

struct run_sum {
	struct sample begin, end; /* one row each; empty before the first run */
};

void run_sum_init(struct run_sum *s);
void run_sum_done(struct run_sum *s);
/* Adds a run: the increments between two samples of its command total. Borrows both. */
void run_sum_add(struct run_sum *s, const struct sample *from, const struct sample *to);

#endif
