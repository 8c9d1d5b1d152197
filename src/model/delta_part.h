/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * delta_part - what delta.c puts a row together of: what its counters did (delta_count.c), its
 * facts and time (delta_fact.c), since when (delta_mark.c), what was told of another row
 * (delta_moved.c), and what threads that have ended leave to their process (delta_ended.c). Pure;
 * for the model only. Arrays lie in the arena.
 */
#ifndef MODEL_DELTA_PART_H
#define MODEL_DELTA_PART_H

#include "model/delta.h"

/* start_ns comes in ticks of 10 ms at most (USER_HZ = 100): a task that started in the tick of a
 * sample and is not in it began after it. */
#define DELTA_TICK_NS 10000000ull

/* Whether the reading has counts. NULL is none. */
bool delta_is_counted(const struct task *t);
/* Whether the counters of a task were closed in the interval before its reading. Where that is also
 * the previous one, that interval has passed. */
bool delta_has_gap(const struct task *t, const struct task *old);
/* Increments and totals of a task that has counters, and what came together since the mark, where
 * there is one. before: the sums of its previous reading; NULL: none. */
void delta_count_row(struct delta_row *row, const struct delta_tally *before, bool marked,
		     struct arena *arena);
/* The sums of a task at the sample of d, or NULL: those of one that did not run since are what they
 * were. */
const struct delta_tally *delta_find_tally(const struct delta *d, const struct task *t);
/* What there is to say of a task without counters. */
const struct delta_plain *delta_plain_of(const struct delta *d, const struct task *t, bool fresh);
/* How the row stands to the mark. */
void delta_mark_row(struct delta_row *row, const struct sample *mark);
/* What a fact of the row's task was at the mark. False: nobody knows. */
bool delta_fact_at_mark(const struct delta_row *row, enum fact fact, uint64_t *at);

/* Adds to the totals of a row what moved since the reading `old`; NULL: since its counters were
 * opened. How the row stands to the mark is known. */
void delta_move_row(struct delta_row *row, const struct delta *d, const struct task *old);

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
/* What a task that has no counters has at each event: a reason, or exactly nothing where it is
 * known that nothing happened. */
struct delta_plain delta_make_plain(const struct sample_events *events, enum count_state state,
				    bool fresh, struct arena *arena);
/* Which kind of cores the task ran on: from the first number that is counted on several, by all its
 * parts. */
void delta_core_row(struct delta_row *row);

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
