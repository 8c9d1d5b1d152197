/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * run_sum - joins several runs of a command into one: each run continues the counts of the runs
 * before it, without the time in between.
 *
 * So ratios over all runs are computed from sums, as those of an interval are.
 */
#ifndef COLLECT_COMMAND_RUN_SUM_H
#define COLLECT_COMMAND_RUN_SUM_H

#include "model/sample.h"

struct run_sum {
	struct sample begin, end; /* [1] each; empty: no run yet */
};

void run_sum_init(struct run_sum *s);
void run_sum_done(struct run_sum *s);
/* Adds the increments from one sample of a command total to a later one of the same run. Borrows
 * both. */
void run_sum_add(struct run_sum *s, const struct sample *from, const struct sample *to);

#endif
