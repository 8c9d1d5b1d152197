/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * delta - what happened between two samples; a pure function of them.
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
 * the time that was counted, or QUALITY_OTHER_CORE if that share is 0. The number is stored at the
 * first event, of which the others are parts; at the others, increment and total have no meaning.
 *
 * Rates. Each row has its own intervals, one for its counts and one for its facts, since reading a
 * whole sample takes a while (sample.h). An increment is divided by the interval of its counts or
 * facts. The rate of a process is the sum of the rates of its threads.
 *
 * Totals. A counter's total is the sum of its increments since it was opened, so it agrees with the
 * increments shown.
 *
 * Moved counts (sample.h) are added to the totals when they move, and to no increment. For a task
 * that began after the mark, they are added to the sums since the mark as well.
 *
 * Mark. Besides the totals, there are sums since a mark, which is a sample that delta_mark() chose.
 * Later deltas keep the mark until a new generation begins. The count of a task since the mark is
 * the sum of its increments since then; for a task that began after the mark, since its start. A
 * fact since the mark is its growth since its reading in the marked sample.
 *
 * Threads that have ended. The counts of a thread that ended stay in the total of its process: its
 * sum is added to the sum of another task of the process. Its per-thread facts stay as well (struct
 * delta_ended), as far as they were read. What the thread did after its last reading is unknown:
 * the increment of that interval is a lower bound (QUALITY_PARTIAL), and so is the total from then
 * on.
 *
 * Failed readings. A counter that could not be read has no increment and no total in that interval
 * (except that a task that has ended keeps its total so far, QUALITY_PARTIAL); the next interval
 * begins at the last successful reading.
 *
 * Lost facts. When a task has ended, its counters can still be read, but its files in /proc cannot.
 * So its row shows the facts of its last complete interval, the previous one (QUALITY_STALE).
 *
 * Events. Each row has its own set of events (sample_event.h), that of its task. If the previous
 * reading had another set, the counters have been reopened: increments are QUALITY_FRESH, and
 * totals restart.
 *
 * Fresh tasks. A task without a previous reading has no increments (QUALITY_FRESH), with two
 * exceptions: the facts of a task born after the previous sample grew from 0, and so did counts and
 * facts of a task that was counted from its first instruction on (COUNT_WHOLE). A new generation
 * makes every task fresh and has no interval.
 *
 * Idle tasks. A task that has the same reading in both samples did nothing: it has no row.
 * rows_idle() makes its row (increments of 0, and its totals) when it is to be shown.
 *
 * Ownership: a delta points into the current sample, and a delta of processes also into the delta
 * of the threads; it is valid until one of these is reset or recomputed. It holds references to the
 * previous readings of its rows and to the mark, and owns everything else in its arena.
 */
#ifndef MODEL_DELTA_H
#define MODEL_DELTA_H

#include <stddef.h>

#include "base/mem.h"
#include "model/sample.h"
#include "model/sample_event.h"

/* ---- event joins ----
 *
 * A cache of joined sets of events: rows with different sets are folded into the join of their
 * sets. Two sets are joined once, so that each refresh gives the same pointer.
 *
 * Ownership: the cache holds a reference to each of its sets.
 */

struct event_joins;

struct event_joins *event_joins_new(void);
void event_joins_free(struct event_joins *joins);
/* Returns sample_events_join(a, b). A NULL set has no events. The result is valid until
 * delta_compute() drops the cached sets. */
const struct sample_events *event_joins_get(struct event_joins *joins,
					    const struct sample_events *a,
					    const struct sample_events *b);

/* Converts the values of the set `from` to the order of the set `to`, in the arena: an event that
 * `from` lacks is QUALITY_NOT_COUNTED. */
struct value *event_values_move(const struct value *value, const struct sample_events *from,
				const struct sample_events *to, struct arena *arena);

/* ---- delta ---- */

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

/* The sum of a fact over ended threads. */
struct ended_fact {
	uint64_t sum;
	uint64_t since; /* its growth since the mark */
};

/* Sums of the per_thread facts over those threads of a process that ended and left the sample. */
struct delta_ended {
	struct owner owner;
	bool now, before;        /* a thread ended in this interval; in the previous one */
	bool later;              /* a thread ended after the mark */
	struct ended_fact *fact; /* one for each number, see fact_list.h */
};

/* The increments and totals of tasks without counters; all tasks in one count state have the
 * same. */
struct delta_default {
	const struct value *increment, *total; /* [events->n] */
};

/* The values of tasks without counters for one set of events. */
struct delta_defaults {
	const struct sample_events *events;
	struct delta_default plain[N_COUNT_STATES][2]; /* second index: 1 if the task is fresh */
};

struct delta {
	const struct kind *kind;     /* of its rows */
	const struct sample *sample; /* the current one */
	const struct sample *mark;   /* only in a delta of tasks; NULL: none */
	/* From the previous sample to this one; 0: there is none to compare with. */
	uint64_t interval_ns;
	bool processes;              /* rows are processes */
	const struct delta *threads; /* the delta whose rows were folded; NULL: rows are tasks */
	bool groups;                 /* each row is a group of tasks; idle groups have a row, too */
	/* Only for groups, numbers of tasks: all; those that passed the filters; those that passed
	 * and have not ended. */
	size_t n_all, n_passed, n_alive;
	/* Only for groups: tasks for which the row_test (model/filter.h) was false, or unknown. */
	size_t n_hidden, n_unknown;
	/* The tasks with a new reading, in the order of the sample. */
	struct delta_row *row;
	size_t n;
	struct delta_tally *tally; /* in the order of the sample */
	size_t n_tallies;
	/* Sorted by owner; empty unless per-thread facts are read and rows are folded into
	 * processes. */
	struct delta_ended *ended;
	size_t n_ended;
	struct delta_defaults *wanted; /* one for each set of events in the sample */
	size_t n_wanted;
	struct use_delta use;      /* the use of the machine's CPUs and memory */
	struct event_joins *joins; /* for folding; kept from one sample to the next */
	uint64_t previous_boot_ns;
	struct arena arena;
};

/* Take, and release, references to the earlier readings that the row points to. */
void delta_row_ref(const struct delta_row *row);
void delta_row_unref(const struct delta_row *row);

void delta_init(struct delta *d);
void delta_done(struct delta *d);

/* Computes out from two samples. before: the delta of the previous sample, whose totals are
 * continued; NULL or empty for the first sample. previous may be NULL. */
void delta_compute(struct delta *out, const struct delta *before, const struct sample *previous,
		   const struct sample *current);

/* Makes the sample of a delta of tasks the mark: sums since the mark restart at 0. */
void delta_mark(struct delta *d);
/* Returns the mark of the delta of tasks from which d was made; NULL: none. */
const struct sample *delta_marked(const struct delta *d);

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

/* Returns the smallest share of the interval during which an event was on its PMU, over all events
 * of all tasks; 1: no count was scaled. */
float delta_least_share(const struct delta *d);

/* Makes the row of sample.task[i]. row: its row in the delta, which is copied; NULL: it was idle,
 * and the arrays of out lie in the arena. */
void delta_task_row(struct delta_row *out, const struct delta *d, const struct delta_row *row,
		    size_t i, struct arena *arena);
/* Returns the sums over the ended threads of this process; NULL: none. */
const struct delta_ended *delta_find_ended(const struct delta *d, struct owner owner);

#endif
