/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * delta - what happened between two samples; a pure function of them. delta_row.h defines the
 * increments and rates of its rows.
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
 * sum is added to the sum of another task of the process that has counters. Its per-thread facts
 * stay as well (struct delta_ended), as far as they were read. What is in no reading of them is
 * unknown: their increments in that interval are lower bounds (QUALITY_PARTIAL), and so are their
 * totals from then on.
 *
 * Failed readings. A counter that could not be read has no increment and no total in that interval
 * (except that a task that has ended keeps a total above 0, QUALITY_PARTIAL); the next interval
 * begins at the last successful reading.
 *
 * Lost facts. When a task has ended, its counters can still be read, but its files in /proc cannot.
 * So its row shows the facts of its last complete interval, the previous one (QUALITY_STALE).
 *
 * Events. Each row has its own set of events (sample_event.h), that of its task. If the previous
 * reading had another set, the counters have been reopened: increments are QUALITY_FRESH, and
 * totals restart.
 *
 * Fresh tasks. A task without a previous reading has no increments (QUALITY_FRESH), with these
 * exceptions: the facts of a task born after the previous sample grew from 0, and so did counts and
 * facts of a task that was counted from its first instruction on (COUNT_WHOLE); and a task that
 * adds no counts of its own (COUNT_INHERITED) has counts of 0. A new generation makes every task
 * fresh and has no interval.
 *
 * Idle tasks. A task that has the same reading in both samples did nothing: it has no row.
 * rows_idle() makes its row (increments of 0, and its totals) when it is to be shown.
 *
 * Ownership: a delta points into the current sample, and a delta of processes also into the delta
 * of the threads; it is valid until one of these is reset or recomputed. It holds references to the
 * previous readings of its rows and to the mark, and owns everything else.
 */
#ifndef MODEL_DELTA_H
#define MODEL_DELTA_H

#include <stddef.h>

#include "base/mem.h"
#include "model/delta_row.h"
#include "model/sample.h"
#include "model/sample_event.h"

/* ---- event joins ----
 *
 * A cache of joined sets of events: rows with different sets are folded into the join of their
 * sets. Two sets are joined once while they are in the cache, so that refreshes give the same
 * pointer.
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
	/* Only for groups: tasks for which the row_test (model/sample.h) was false, or unknown. */
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
