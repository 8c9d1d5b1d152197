/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * run_sum - several runs of a command as if they were one: what each has done stands behind what
 * those before it did, and the time between them is left out.
 *
 * So ratios over all runs come from sums, as those of an interval do.
 */
#ifndef COLLECT_COMMAND_RUN_SUM_H
#define COLLECT_COMMAND_RUN_SUM_H

#include "model/sample.h"

struct run_sum {
	struct sample begin, end; /* [1] each; empty: no run was added */
};

void run_sum_init(struct run_sum *s);
void run_sum_done(struct run_sum *s);
/* Adds what was done from one sample of a whole to the next, both of the same run. Borrows them. */
void run_sum_add(struct run_sum *s, const struct sample *from, const struct sample *to);

#endif
