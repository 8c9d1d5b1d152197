/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * evaluate - evaluates the expression of a column for one row of a delta: counters by the binding,
 * facts, and variables derived from facts. Reads the kernel's generic events of a row, whatever
 * the columns are. Pure.
 */
#ifndef VIEW_EVALUATE_H
#define VIEW_EVALUATE_H

#include "model/delta.h"
#include "screen/binding.h"

/* Returns the value of a column; for a text, only its quality. bound: [n_counters] the events of
 * the row to which the counters are bound in this column. */
struct value evaluate_column(const struct column *column, struct shown shown,
			     const struct delta_row *row, const struct host *host,
			     const struct bound *bound);
/* Returns the value of one counter or variable. */
struct value evaluate_name(struct expr_ref ref, const struct delta_row *row,
			   const struct host *host, const struct bound *bound);
/* Returns %CPU: 100 is one CPU. */
struct value evaluate_cpu(const struct delta_row *row);
/* Returns %CPU including children that have ended and were waited for in the interval. For a thread
 * other than the leader, and for a sum over several processes, which may have rows of these
 * children already, returns evaluate_cpu(). */
struct value evaluate_cpu_with_ended(const struct delta_row *row);

/* ---- work ----
 *
 * The work of a row in an interval, from the kernel's generic events. These are found by their
 * codes, whatever aliases the screens have for them. Pure.
 */

/* The indices of the events in a set; -1: not counted. Must be zeroed before its first use. */
struct work_events {
	const struct sample_events *of; /* the set; NULL: none yet */
	int instructions, cycles, misses, mispredicted;
};

/* Unknown numbers are NaN. */
struct work {
	double cpu_share; /* 1 is one CPU */
	double seconds;   /* the interval of the counts */
	double instructions, cycles;
	double misses; /* cache misses, as the event cache-misses counts them here */
	double mispredicted;
	int cpu; /* the CPU on which it ran last; -1: unknown */
};

/* Reads an interval of a row. e: a cache, refilled for a row with another set of events; the sets
 * must live as long as the cache. */
void work_read(struct work *w, struct work_events *e, const struct delta_row *row);

/* Returns the retired instructions of a row; no number if they were not counted. */
struct value work_instructions(const struct delta_row *row);

#endif
