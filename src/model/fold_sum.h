/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * fold_sum - sums up rows into one row: for a group, a collapsed subtree, or all rows shown.
 *
 *   fold_sum_begin(&s, &f, &row, kind, id);
 *   fold_sum_add(&s, member);          for each
 *   fold_sum_end(&s);                  completes the row
 *
 * Numbers. Increments, times and rates are sums over the members; columns compute ratios of these
 * sums. Totals, sums since the mark, and facts that only grow are sums as well. Gauges: see
 * model/fact.h; if the rows are threads, a fact of the whole process is added once per process. A
 * member that cannot be counted makes a sum partial. So does a member whose facts were lost when it
 * ended, since its row shows the facts of the previous interval. A member that ended before the
 * interval adds 0 to an increment. If the increment of the member is unknown for another reason
 * than that it ended before it was counted, the sum is partial.
 *
 * Texts. The row gets a new reading (struct task) with the given kind and id. Its name is the text
 * of the id. Its user is the user of all members, or FOLD_SEVERAL if they differ. Each other text
 * is the text that all living members share, or "" if they differ; it is unknown if the text of one
 * member is unknown. The reading is dead if no member is alive.
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
	struct event_joins *joins; /* the cache of the delta, see fold_joins() */
	uint64_t interval_ns;
	/* The facts to process: numbers are added, texts are compared. Numbers of other facts are
	 * QUALITY_NOT_READ. */
	struct fact_set facts;
	bool marked; /* also compute the sums since the mark */
	/* Add ended members to totals; else model/fold_groups.h has their counts. */
	bool keeps_ended;
	/* Members may be threads whose leader is not a member. The threads of one process must then
	 * be added one after the other. */
	bool lacks_leaders;
	struct arena scratch; /* memory for one member; emptied after each */
};

/* A sum while members are added. In a finished row, the same arrays are const. */
struct fold_sum {
	struct folding *f;
	struct delta_row *row;
	struct task *task;
	const struct sample_events *events; /* the events of increment, total, rate and since */
	struct value *increment, *total, *rate, *since;
	struct delta_sums *facts;
	/* Whether any member was added so far; any that adds to totals; any living one. */
	bool any, any_total, any_alive;
	struct fact_set had; /* the gauges that have a value so far */
	struct owner last;   /* the process of the member added last */
};

/* The sums over retired members. total and since have events->n elements, fact and fact_since have
 * one for each fact that is a number. */
struct fold_retired {
	const struct sample_events *events;
	/* `since` is NULL if no member has retired since the mark. */
	const struct value *total, *since;
	const struct value *fact, *fact_since;
};

/* Returns the cache of a delta: sets of events made by sample_events_join(). */
struct event_joins *fold_joins(const struct delta *d);
void folding_done(struct folding *f);

void fold_sum_begin(struct fold_sum *s, struct folding *f, struct delta_row *row,
		    const struct kind *kind, struct fold_id id);
void fold_sum_add(struct fold_sum *s, const struct delta_row *member);
/* Adds the counts of retired members to totals and to facts that only grow. */
void fold_sum_add_retired(struct fold_sum *s, const struct fold_retired *left);
void fold_sum_end(struct fold_sum *s);

#endif
