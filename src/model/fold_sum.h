/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * fold_sum - sums up rows into one: that of a group, of a collapsed subtree, or of all rows shown.
 *
 *   fold_sum_begin(&s, &f, &row, kind, id);
 *   fold_sum_add(&s, member);          for each
 *   fold_sum_end(&s);                  completes the row
 *
 * Numbers. Increments, times and rates are sums over the members; columns compute ratios of these
 * sums. Totals, sums since the mark, and facts that only grow are sums as well. Gauges: see
 * model/fact.h; if the rows are threads, a fact of the whole process is added once per process. A
 * member that cannot be counted makes a sum partial; so does one whose facts were lost with its
 * end, since its row shows those of the previous interval. A member that ended before the interval
 * adds to totals only.
 *
 * Texts. The row has a reading of its own: the given kind and id; its name is the text of the id;
 * its user that of all members, or FOLD_SEVERAL; each other text that of all living members, or ""
 * if they differ. It is dead if no member is alive.
 *
 * Ownership: the row's data lies in the arena of the folding; texts are borrowed from the members.
 */
#ifndef MODEL_FOLD_SUM_H
#define MODEL_FOLD_SUM_H

#include "model/delta.h"

#define FOLD_SEVERAL "several"

/* The identity of a sum: number and text together. The text is borrowed. */
struct fold_id {
	uint64_t number;
	const char *text;
};

/* The settings and memory that the sums of one delta share. */
struct folding {
	struct arena *arena;       /* holds the data of rows */
	struct event_joins *joins; /* of the delta, see fold_joins() */
	uint64_t interval_ns;
	/* The numbers to add, and the texts to compare. Others are QUALITY_NOT_READ. */
	fact_mask facts;
	bool marked; /* sum since the mark, too */
	/* Add ended members to totals; else model/retired_groups.h has their counts. */
	bool keeps_ended;
	/* Members may be threads of a process whose leader is not a member; those of one process
	 * must follow each other. */
	bool lacks_leaders;
	struct arena scratch; /* for one member at a time */
};

/* A sum under construction: in a finished row, the arrays are const. */
struct fold_sum {
	struct folding *f;
	struct delta_row *row;
	struct task *task;
	const struct sample_events *events; /* of increment, total and rate */
	struct value *increment, *total, *rate, *since;
	struct delta_sums *facts;
	bool any, any_total, any_alive; /* a member, one with a total, one alive was added */
	fact_mask had;                  /* gauges with a value so far */
	struct owner last;              /* of the last member added */
};

/* Sums that retired members left: [events->n] and [N_NUMBER_FACTS]. */
struct fold_retired {
	const struct sample_events *events;
	const struct value *total, *since; /* since NULL: nothing since the mark */
	const struct value *fact, *fact_since;
};

/* Returns the cache of joined sets that belongs to a delta. */
struct event_joins *fold_joins(const struct delta *d);
void folding_done(struct folding *f);

void fold_sum_begin(struct fold_sum *s, struct folding *f, struct delta_row *row,
		    const struct kind *kind, struct fold_id id);
void fold_sum_add(struct fold_sum *s, const struct delta_row *member);
/* Adds the counts of retired members to totals and to facts that only grow. */
void fold_sum_add_retired(struct fold_sum *s, const struct fold_retired *left);
void fold_sum_end(struct fold_sum *s);

#endif
