/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * delta_part - what delta.c takes from delta_fact.c for a row: its facts and time, and what
 * threads that have ended leave to their process. Pure; for the model only. Arrays lie in the
 * arena.
 */
#ifndef MODEL_DELTA_PART_H
#define MODEL_DELTA_PART_H

#include "model/delta.h"

/* start_ns comes in ticks of 10 ms at most (USER_HZ = 100): a task that started in the tick of a
 * sample and is not in it began after it. */
#define DELTA_TICK_NS 10000000ull

/* The sums of a task at the sample of d, or NULL: those of one that did not run since are what they
 * were. */
const struct delta_tally *delta_find_tally(const struct delta *d, const struct task *t);
/* How the row stands to the mark. */
void delta_mark_row(struct delta_row *row, const struct sample *mark);
/* What a fact of the row's task was at the mark. False: nobody knows. */
bool delta_fact_at_mark(const struct delta_row *row, enum fact fact, uint64_t *at);

/* What is in no sample any more, of the threads of each process that is in that of d and was
 * in that of `before`: the first task of it that has counters takes their sums over,
 * d->ended their facts. */
void delta_take_over(struct delta *d, const struct delta *before);
/* Adds to sum[], of these events, what a task has counted that was in the previous sample and is in
 * no later one; its_sum: its sums, where it had counters. Where not all of it is known, the sum is
 * a part. */
void delta_add_ended(const struct task *t, const struct value *its_sum,
		     const struct sample_events *events, struct value *sum);
/* Whether both readings have counts of the same events, with nothing closed in between. */
bool delta_can_compare(const struct task *t, const struct task *old);

/* Time on a CPU, by the CPU clock. Where that is not known (a thread of another process), the time
 * that the first counter read was enabled, which leaves out some 20 µs of each wake-up, since the
 * kernel enables counters after the switch; without counters, the ticks.
 *
 * The CPU clock of a task that runs moves at each tick of the scheduler only, whatever
 * clock_getres(2) says. Where a tick is more than 1 % of the interval, the time of the counters is
 * taken, which is that of the moment; or else it has the mark of QUALITY_UNEQUAL. tick_ns: 0: it is
 * not known. */
struct value delta_cpu_time(struct delta_row *row, uint64_t tick_ns);

#endif
