/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * delta_part - functions that delta.c and delta_fact.c share: facts and CPU time of a row, and the
 * sums over threads that have ended. Pure; for the model only. Arrays lie in the arena.
 */
#ifndef MODEL_DELTA_PART_H
#define MODEL_DELTA_PART_H

#include "model/delta.h"

/* Returns the sums of a task at the sample of d; NULL: none. */
const struct delta_tally *delta_find_tally(const struct delta *d, const struct task *t);
/* Keeps the counts and facts of threads that ended and left the sample, for each process in the
 * sample of d: adds their sums to those of the first task of the process that has counters, and
 * their facts to d->ended. */
void delta_take_over(struct delta *d, const struct delta *before);
#endif
