/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * delta_row - what one task did between two samples: the increments, totals and rates of its
 * counters and facts, computed from its readings. Pure. Arrays lie in the arena of the delta.
 *
 * Increments. A counter's increment over the interval is Δvalue if it was on the PMU all the time,
 * else Δvalue × Δenabled / Δrunning (multiplexing). Intervals are scaled, never totals: the
 * difference of two scaled totals can be negative. Δrunning = 0 while Δenabled > 0 gives no number
 * (QUALITY_NOT_SCHEDULED); Δenabled = 0 means that the task did not run, and the increment is
 * exactly 0. Counters of a CPU are enabled all the time: Δenabled = 0 means that it was offline,
 * and there is no increment (QUALITY_NOT_READ). The kernel stops the counters before it removes the
 * CPU from the list of online CPUs.
 *
 * Parts. A counter on a hybrid machine is one event for each kind of cores. Each part is enabled as
 * long as the task runs, and is running only while the task is on cores of its kind. So the raw
 * increments are added and scaled by one common factor: ΣΔvalue × Δenabled / ΣΔrunning. If a kind
 * of cores lacks the event, the increment is ΣΔvalue, unscaled: QUALITY_PARTIAL, with the share of
 * the time that was counted if that is not all of it, or QUALITY_OTHER_CORE if it is 0. The number
 * is stored at the first event, of which the others are parts; at the others, increment and total
 * have no meaning.
 *
 * Rates. Each row has its own intervals, one for its counts and one for its facts, since reading a
 * whole sample takes a while (sample.h). An increment is divided by the interval of its counts or
 * facts. The rate of a process is the sum of the rates of its threads.
 */
#ifndef MODEL_DELTA_ROW_H
#define MODEL_DELTA_ROW_H

#include <stdbool.h>
#include <stdint.h>

#include "base/mem.h"
#include "base/value.h"
#include "model/fact.h"
#include "model/sample.h"
#include "model/sample_event.h"

/* The sums of one fact: of what delta_fact(), delta_fact_now() and delta_fact_rate() return, and of
 * delta_fact_since() if there is a mark. */
struct fact_sum {
	struct value interval, now, rate, since;
};

/* Sums of facts and rates over the threads of a process, or over the members of a group. */
struct delta_sums {
	struct fact_set facts; /* the facts that are summed */
	struct fact_sum *fact; /* one for each number, see fact_list.h */
	struct value cpu_share;
	struct value waited_earlier;
	const struct value *count_rate; /* [events->n] */
};

struct delta_row {
	const struct task *task;
	const struct task *old; /* its previous reading; NULL: fresh */
	/* The earlier reading from which increments of facts are computed: `old`; if the facts of
	 * `task` were lost, the reading before `old`. */
	const struct task *facts_from;
	const struct task *marked; /* its reading in the marked sample; NULL: none */
	bool fresh;                /* no previous reading */
	bool born;                 /* it began after the previous sample */
	bool began_after_mark;     /* it began after the mark */
	/* Its facts were read for an earlier sample and may have changed since. */
	bool stale;
	bool past; /* it ended before this interval: its numbers are those of an earlier one */
	bool cpu_counted; /* cpu_ns is the enabled time of a counter of this task */
	/* The intervals of its counts and of its facts differ by more than 1 %. */
	bool unequal;
	bool watched; /* a group with a member that passes the watch filter */
	/* The tasks folded into this row; 1 before folding. */
	int n_members;
	uint64_t counts_ns, facts_ns; /* its intervals; of a process: those of its leader */
	struct value cpu_ns;          /* time on a CPU in its interval */
	/* The time that a counter was on the PMUs in this interval: on the fastest kind of cores,
	 * and on all kinds. Unknown unless a counter is counted on several kinds. */
	struct value fast_ns, core_ns;
	const struct sample_events *events; /* the events of the following arrays; NULL: none */
	const struct value *increment;      /* [events->n] */
	const struct value *total;          /* [events->n] since the counters were opened */
	/* [events->n] like total, but also defined after a failed reading: the next increments are
	 * added to it */
	const struct value *sum;
	/* total and sum, but since the mark; NULL: no mark, or the task ended before it. */
	const struct value *since, *since_sum;
	const struct delta_sums *sums; /* NULL: all facts are read from task */
};

/* The sums of a task with counters, to which its next increments are added. */
struct delta_tally {
	const struct task *task;
	const struct value *sum;   /* [task->events->n] */
	const struct value *since; /* sums since the mark; NULL: no mark */
};

/* The increments and totals of tasks without counters. */
struct delta_default {
	const struct value *increment, *total; /* [events->n] */
};

/* Take, and release, references to `old` and `facts_from`; not to `marked`, which belongs to the
 * mark. */
void delta_row_ref(const struct delta_row *row);
void delta_row_unref(const struct delta_row *row);

/* ---- numbers of a row ---- */

/* Returns a fact in this interval: the increment of a counter, the current state of a gauge. */
struct value delta_fact(const struct delta_row *row, int fact);
/* Returns how much (ns) of the waits for a CPU that ended in this interval lies before the
 * interval. The kernel accounts a whole wait when it ends; delta_fact() leaves this part out and
 * marks its result as QUALITY_UNEQUAL. */
struct value delta_waited_earlier(const struct delta_row *row);
/* Returns the increment of a fact per second. */
struct value delta_fact_rate(const struct delta_row *row, int fact);
/* Returns the increment of an event per second. */
struct value delta_count_rate(const struct delta_row *row, int event);
/* Returns the current reading of a fact; of a counter, the total since the task began. */
struct value delta_fact_now(const struct delta_row *row, int fact);
/* Return the growth of an event, or of a fact that only grows, since the mark, which must be
 * set. */
struct value delta_count_since(const struct delta_row *row, int event);
struct value delta_fact_since(const struct delta_row *row, int fact);
/* Returns the time on a CPU (ns) in the interval by the CPU clock, or if unknown by the clock ticks
 * (UTIME_NS and STIME_NS). */
struct value delta_clock_time(const struct delta_row *row);
/* Returns the time on a CPU divided by the interval: 1 means one CPU. The share of a row that is a
 * CPU is at most 1. */
struct value delta_cpu_share(const struct delta_row *row);

/* ---- the steps of computing a row, for delta.c ---- */

/* start_ns is rounded down to clock ticks of at most 10 ms (USER_HZ = 100): a task that started in
 * the same tick as a sample, but is not in the sample, began after it. */
#define DELTA_TICK_NS 10000000ull

/* Sets row->marked and row->began_after_mark. */
void delta_mark_row(struct delta_row *row, const struct sample *mark);
/* Sets *at to the value of a fact at the mark. Returns false if it is unknown. */
bool delta_fact_at_mark(const struct delta_row *row, int fact, uint64_t *at);
/* Computes the increments and totals of a task that has counters, and the sums since the mark if
 * marked. before: the sums of its previous reading; NULL: none. */
void delta_count_row(struct delta_row *row, const struct delta_tally *before, bool marked,
		     struct arena *arena);
/* Makes the increments and totals of tasks without counters: no number and the reason, or exactly 0
 * if the task is known to have counted nothing. */
struct delta_default delta_make_default(const struct sample_events *events, enum count_state state,
					bool fresh, struct arena *arena);
/* Sets fast_ns and core_ns, from the first number that is counted on several kinds of cores and has
 * all of its parts available. */
void delta_core_row(struct delta_row *row);
/* Adds to sum[], for these events, the counts of a task that was in the previous sample and is in
 * no later one. its_sum: its sums; NULL: it had no counters. If some are unknown, the sum is
 * QUALITY_PARTIAL. */
void delta_add_ended(const struct task *t, const struct value *its_sum,
		     const struct sample_events *events, struct value *sum);
/* Returns whether the reading has counts; false for NULL. */
bool delta_is_counted(const struct task *t);

/* Returns the time on a CPU (ns) by the CPU clock. If that is unknown (a thread of another
 * process): the enabled time of the first counter that was read and is not partial, which misses
 * some 20 µs of each wake-up, since the kernel enables counters after the context switch; without
 * such a counter, the clock ticks (UTIME_NS and STIME_NS).
 *
 * The CPU clock of a running task advances only at each tick of the scheduler, whatever
 * clock_getres(2) says. If a tick is more than 1 % of the interval, and the task may have been
 * running at the reading, the result is the enabled time of that counter, which is exact up to the
 * reading, or without it the CPU clock with QUALITY_UNEQUAL. tick_ns: the time between two ticks of
 * the scheduler; 0: unknown. */
struct value delta_cpu_time(struct delta_row *row, uint64_t tick_ns);

#endif
