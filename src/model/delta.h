/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * delta - what happened between two samples; a pure function of them.
 *
 * Increments. A counter's increment over the interval is Δvalue where it was on the PMU all the time, and
 * Δvalue × Δenabled / Δrunning where it was not (multiplexing). The scaling is done on the interval, never on totals:
 * the difference of two scaled totals can be negative. Δrunning = 0 while Δenabled > 0 gives no number
 * (QUALITY_NOT_SCHEDULED); Δenabled = 0 means that the task did not run, and the increment is exactly 0.
 *
 * Parts. Where a counter is one event for each kind of cores, its enabled time is that of the task, and each part runs
 * only while the task is on cores of its kind. So the raw increments are added, and scaled by one joint factor:
 * ΣΔvalue × Δenabled / ΣΔrunning. Where a kind of cores lacks the event, ΣΔvalue is all that is known: QUALITY_PARTIAL,
 * with the share of the time that was counted, or QUALITY_OTHER_CORE where that is none. The number stands at the event
 * that the others are parts of; at those, increment and total have no meaning.
 *
 * Totals. A counter's total is the sum of its increments since it was opened, so it agrees with what was shown.
 *
 * Fresh tasks. A task without a previous reading has no increments (QUALITY_FRESH), with one exception: the facts of
 * a task born after the previous sample grew from 0. Another generation makes every task fresh, and there is no
 * interval then.
 *
 * fold. delta_fold_processes() turns thread rows into process rows: counts and per-thread facts are sums over the
 * threads; other facts and the name are the leader's.
 *
 * Ownership: a delta points into the current sample (row.task) and owns everything else in its arena; it is valid
 * until either is reset.
 */
#ifndef MODEL_DELTA_H
#define MODEL_DELTA_H

#include "model/sample.h"

struct delta_row {
	const struct task *task;
	bool fresh;          /* no previous reading */
	bool cpu_counted;    /* cpu_ns comes from the counters of this task */
	int n_threads;       /* how many rows were folded into this one; 1 before folding */
	struct value cpu_ns; /* time on a CPU in this interval */
	/* Of the time that counters were on the PMUs in this interval: on the faster cores of a hybrid machine, and on
	 * any. Unknown elsewhere. */
	struct value fast_ns, core_ns;
	const struct value *increment;  /* [n_events] */
	const struct value *total;      /* [n_events] since the counters were opened */
	struct value fact[N_FACTS];     /* counters: increment; gauges: present state */
	struct value fact_now[N_FACTS]; /* the present reading: since the task began */
};

struct delta {
	const struct sample *sample; /* the current one */
	uint64_t interval_ns;        /* 0: there is no previous sample to compare with */
	int n_events;
	struct delta_row *row;
	size_t n;
	struct arena arena;
};

void delta_init(struct delta *d);
void delta_done(struct delta *d);

/* Computes out from two samples; before is the delta of the previous step (NULL or empty at first), from which totals
 * go on. previous may be NULL. */
void delta_compute(struct delta *out, const struct delta *before, const struct sample *previous,
		   const struct sample *current);

/* out: one row a process, in the order of in. */
void delta_fold_processes(struct delta *out, const struct delta *in);

/* Time on a CPU in the interval by the CPU clock, or else by the ticks. */
struct value delta_clock_time(const struct delta_row *row);

#endif
