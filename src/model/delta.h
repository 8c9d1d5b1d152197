/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * delta - what happened between two samples; a pure function of them.
 *
 * Increments. A counter's increment over the interval is Δvalue where it was on the PMU all the
 * time, and Δvalue × Δenabled / Δrunning where it was not (multiplexing). The scaling is done on
 * the interval, never on totals: the difference of two scaled totals can be negative. Δrunning = 0
 * while Δenabled > 0 gives no number (QUALITY_NOT_SCHEDULED); Δenabled = 0 means that the task did
 * not run, and the increment is exactly 0. Counters of a CPU are enabled all the time: Δenabled = 0
 * means that it was offline, and there is no increment (QUALITY_NOT_READ). The kernel stops them
 * before it takes the CPU out of its list.
 *
 * Parts. Where a counter is one event for each kind of cores, its enabled time is that of the task,
 * and each part runs only while the task is on cores of its kind. So the raw increments are added,
 * and scaled by one joint factor: ΣΔvalue × Δenabled / ΣΔrunning. Where a kind of cores lacks the
 * event, ΣΔvalue is all that is known: QUALITY_PARTIAL, with the share of the time that was
 * counted, or QUALITY_OTHER_CORE where that is none. The number stands at the event that the others
 * are parts of; at those, increment and total have no meaning.
 *
 * Rates. Each row has its own intervals, one for its counts and one for its facts, since a sample
 * takes a while to read all (sample.h). An increment is divided by the interval that it comes from.
 * The rate of a process is the sum of the rates of its threads.
 *
 * Totals. A counter's total is the sum of its increments since it was opened, so it agrees
 * with what was shown.
 *
 * Moved counts (sample.h) are added to the totals when they move, and to no increment. Those of a
 * task that began after the mark are since then, too.
 *
 * Mark. A mark is a sample since which sums are kept beside the totals: delta_mark() makes it, and
 * the deltas that follow go on with it until counting begins anew. What a task has done since is
 * the sum of its increments since then; of one that came later, since it began. Of facts, it is
 * what they have grown since their reading in that sample.
 *
 * Threads that have ended. What a process has counted stays in its total when a thread is in no
 * later sample: another task of the process takes over its sum. So do the per-thread facts, as far
 * as they were read. What the thread did after its last reading is known to nobody: the increment
 * of that interval is a lower bound (QUALITY_PARTIAL), and from then on so is the total.
 *
 * Failed readings. A counter that could not be read has no increment and no total in that interval
 * (but of a task that has ended, its total so far, QUALITY_PARTIAL); the next interval begins where
 * it was read last.
 *
 * Lost facts. When a task has ended, its counters can still be read, but not what /proc told of it.
 * So its facts stay those of its last complete interval, the one before (QUALITY_STALE).
 *
 * Events. What a row has is of its own set of events (sample_event.h): those of its task. Where the
 * previous reading was of another set, other counters are open: the row is fresh, and its totals
 * begin anew.
 *
 * Fresh tasks. A task without a previous reading has no increments (QUALITY_FRESH), with two
 * exceptions: the facts of a task born after the previous sample grew from 0, and so did counts and
 * facts of one that was counted from its first instruction on (COUNT_WHOLE). Another generation
 * makes every task fresh, and there is no interval then.
 *
 * Idle tasks. A task of which both samples hold the same reading did nothing: it has no row. What
 * there is to say of it (increments of 0, and its totals) is made by rows_idle() for those that
 * want to show it.
 *
 * Ownership: a delta points into the current sample, and one of processes into that of the threads,
 * too; it is valid until one of these is reset or computed anew. It holds references to the
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
 * A memory of joined sets of events: rows of unequal events are folded into the join
 * of their sets. The same two sets are joined once, so that whoever looks at the result finds the
 * same set at each refresh.
 *
 * Ownership: the memory holds a reference to all sets that it knows.
 */

struct event_joins;

struct event_joins *event_joins_new(void);
/* NULL is fine. */
void event_joins_free(struct event_joins *joins);
/* Returns sample_events_join(a, b), which is valid until it is forgotten. */
const struct sample_events *event_joins_get(struct event_joins *joins,
					    const struct sample_events *a,
					    const struct sample_events *b);

/* Rearranges the values of the set `from` for the set `to`: an event that `from` lacks is
 * QUALITY_NOT_COUNTED. */
struct value *event_values_move(const struct value *value, const struct sample_events *from,
				const struct sample_events *to, struct arena *arena);

/* ---- delta ---- */

/* Of a process with several threads: the sums of the facts that are per_thread, and of all
 * rates. */
struct delta_sums {
	fact_mask facts; /* which of them are sums */
	struct value fact[N_NUMBER_FACTS], fact_now[N_NUMBER_FACTS], fact_rate[N_NUMBER_FACTS];
	struct value fact_since[N_NUMBER_FACTS]; /* where there is a mark */
	struct value cpu_share;
	struct value waited_earlier;
	const struct value *count_rate; /* [events->n] */
};

struct delta_row {
	const struct task *task;
	const struct task *old; /* its previous reading; NULL: fresh */
	/* The reading that its facts have grown since: old, or where they were lost, the one before
	 * that. */
	const struct task *facts_from;
	const struct task *marked; /* its reading at the mark; NULL: it had none */
	bool fresh;                /* no previous reading */
	bool born;                 /* it began after the previous sample */
	bool began_after_mark;     /* it began after the mark */
	/* Its facts were read for an earlier sample: some may have changed since. */
	bool stale;
	bool past;        /* it ended before this interval: what it did is of an earlier one */
	bool cpu_counted; /* cpu_ns comes from the counters of this task */
	/* The intervals of its counts and of its facts differ by more than 1 %. */
	bool unequal;
	bool watched; /* of a group: one of its members is */
	/* How many tasks were folded into this row; 1 before folding. */
	int n_members;
	uint64_t counts_ns, facts_ns; /* its intervals; those of a process are its leader's */
	struct value cpu_ns;          /* time on a CPU in its interval */
	/* Of the time that counters were on the PMUs in this interval: on the faster cores of a
	 * hybrid machine, and on any. Unknown elsewhere. */
	struct value fast_ns, core_ns;
	const struct sample_events
		*events;               /* what the following are of; NULL: nothing was wanted */
	const struct value *increment; /* [events->n] */
	const struct value *total;     /* [events->n] since the counters were opened */
	const struct value *sum;       /* [events->n] from which the next total goes on */
	/* The same two since the mark; NULL: there is none, or it ended before. */
	const struct value *since, *since_sum;
	const struct delta_sums *sums; /* NULL: all facts are those of task */
};

/* The sums from which the totals of a task that has counters go on. */
struct delta_tally {
	const struct task *task;
	const struct value *sum;   /* [task->events->n] */
	const struct value *since; /* those since the mark; NULL: there is none */
};

/* What a process has of its threads that have ended: of those that are in no sample any more, the
 * sums of the facts that are per_thread. */
struct delta_ended {
	struct owner owner;
	bool now, before; /* a thread ended in this interval; one ended in the interval before */
	bool later;       /* one ended after the mark */
	uint64_t fact[N_NUMBER_FACTS];
	uint64_t since[N_NUMBER_FACTS]; /* what these facts had grown since the mark */
};

/* What a task without counters has at each event: the same for all tasks in this state. */
struct delta_default {
	const struct value *increment, *total; /* [events->n] */
};

/* What tasks have of whom these events are wanted. */
struct delta_defaults {
	const struct sample_events *events;
	struct delta_default plain[N_COUNT_STATES][2]; /* second index: whether it is fresh */
};

struct delta {
	const struct kind *kind;     /* what its rows are of */
	const struct sample *sample; /* the current one */
	const struct sample *mark;   /* of one of tasks; NULL: there is none */
	/* Between the samples; 0: there is no previous one to compare with. */
	uint64_t interval_ns;
	bool processes;              /* rows are processes */
	const struct delta *threads; /* the delta whose rows were folded; NULL: rows are tasks */
	bool groups; /* each row is a group of tasks, and all are here, idle or not */
	/* Of groups: the tasks that there are, of them those that passed the filter, and of these
	 * the living ones. */
	size_t n_all, n_passed, n_alive;
	/* Those that a row_test left out, or had no answer for (model/filter.h). */
	size_t n_hidden, n_unknown;
	/* The tasks of which there is a new reading, in the order of the sample. */
	struct delta_row *row;
	size_t n;
	struct delta_tally *tally; /* in the order of the sample */
	size_t n_tallies;
	/* By owner; only where per-thread facts are read and rows are to be processes. */
	struct delta_ended *ended;
	size_t n_ended;
	struct delta_defaults *wanted; /* one for each set of events in the sample */
	size_t n_wanted;
	struct use_delta use;      /* of the machine, by all samples so far */
	struct event_joins *joins; /* for folding; kept from one sample to the next */
	uint64_t previous_boot_ns;
	struct arena arena;
};

/* Takes references to the readings before `task` that the row points to, and gives them back. */
void delta_row_ref(const struct delta_row *row);
void delta_row_unref(const struct delta_row *row);

void delta_init(struct delta *d);
void delta_done(struct delta *d);

/* Computes out from two samples; before is the delta of the previous step (NULL or empty at first),
 * from which totals go on. previous may be NULL. */
void delta_compute(struct delta *out, const struct delta *before, const struct sample *previous,
		   const struct sample *current);

/* Makes the sample of a delta of tasks the mark: since then, nothing has been done yet. */
void delta_mark(struct delta *d);
/* The mark of what the rows of any delta were made of; NULL: there is none. */
const struct sample *delta_marked(const struct delta *d);

/* A fact in this interval: of a counter the increment, of a gauge the present state. */
struct value delta_fact(const struct delta_row *row, enum fact fact);
/* For how long (ns) the task had waited for a CPU before this interval: the kernel tells that only
 * when the wait ends, and delta_fact() leaves it out, with the mark of QUALITY_UNEQUAL. */
struct value delta_waited_earlier(const struct delta_row *row);
/* The increment of a fact per second. */
struct value delta_fact_rate(const struct delta_row *row, enum fact fact);
/* The increment of an event per second. */
struct value delta_count_rate(const struct delta_row *row, int event);
/* The present reading of a fact: what has come together since the task began. */
struct value delta_fact_now(const struct delta_row *row, enum fact fact);
/* What an event has counted, and what a fact that only grows has grown, since the mark, which is
 * there. */
struct value delta_count_since(const struct delta_row *row, int event);
struct value delta_fact_since(const struct delta_row *row, enum fact fact);
/* The time on a CPU in the interval, by the CPU clock, or else by the ticks. */
struct value delta_clock_time(const struct delta_row *row);
/* The time on a CPU divided by the interval: 1 is one CPU, and the most that a CPU has. */
struct value delta_cpu_share(const struct delta_row *row);

/* The least share of the time that a count of some task was on its PMU in the interval; 1: all were
 * all the time. */
float delta_least_share(const struct delta *d);

/* What sample.task[i] did; row: its row where it has one, else NULL. Arrays of an idle one lie in
 * the arena. */
void delta_task_row(struct delta_row *out, const struct delta *d, const struct delta_row *row,
		    size_t i, struct arena *arena);
/* Finds what ended threads have left to this process; NULL: nothing is known. */
const struct delta_ended *delta_find_ended(const struct delta *d, struct owner owner);

#endif
