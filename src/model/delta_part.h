/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * delta_part - functions that delta.c and delta_fact.c share: facts and CPU time of a row, and the
 * sums over threads that have ended. Pure; for the model only. Arrays lie in the arena.
 */
#ifndef MODEL_DELTA_PART_H
#define MODEL_DELTA_PART_H

#include "model/delta.h"

/* start_ns is rounded down to clock ticks of at most 10 ms (USER_HZ = 100): a task that started in
 * the same tick as a sample, but is not in the sample, began after it. */
#define DELTA_TICK_NS 10000000ull

/* Returns the sums of a task at the sample of d; NULL: none. */
const struct delta_tally *delta_find_tally(const struct delta *d, const struct task *t);
/* Sets row->marked and row->began_after_mark. */
void delta_mark_row(struct delta_row *row, const struct sample *mark);
/* Sets *at to the value of a fact at the mark. Returns false if it is unknown. */
bool delta_fact_at_mark(const struct delta_row *row, int fact, uint64_t *at);

/* Keeps the counts and facts of threads that ended and left the sample, for each process in the
 * sample of d: adds their sums to those of the first task of the process that has counters, and
 * their facts to d->ended. */
void delta_take_over(struct delta *d, const struct delta *before);
/* Adds to sum[], for these events, the counts of a task that was in the previous sample and is in
 * no later one. its_sum: its sums; NULL: it had no counters. If some are unknown, the sum is
 * QUALITY_PARTIAL. */
void delta_add_ended(const struct task *t, const struct value *its_sum,
		     const struct sample_events *events, struct value *sum);
/* Returns whether both readings have counts of one set of events, without a gap in between. */
bool delta_can_compare(const struct task *t, const struct task *old);

/* Returns the time on a CPU (ns) by the CPU clock. If that is unknown (a thread of another
 * process): the enabled time of the first counter that was read, which misses some 20 µs of each
 * wake-up, since the kernel enables counters after the context switch; without counters, the clock
 * ticks (UTIME_NS and STIME_NS).
 *
 * The CPU clock of a running task advances only at each tick of the scheduler, whatever
 * clock_getres(2) says. If a tick is more than 1 % of the interval, the result is the enabled time
 * of the counters, which is exact up to the reading, or without counters the CPU clock with
 * QUALITY_UNEQUAL. tick_ns: the time between two ticks of the scheduler; 0: unknown. */
struct value delta_cpu_time(struct delta_row *row, uint64_t tick_ns);

#endif
