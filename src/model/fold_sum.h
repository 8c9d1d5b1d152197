/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * fold_sum - many rows to one: that of a group, of a part of a tree, or of all that is shown.
 *
 *   fold_sum_begin(&s, &f, &row, kind, id);
 *   fold_sum_add(&s, member);          for each
 *   fold_sum_end(&s);                  now the row is whole
 *
 * Numbers. Increments, times and rates are sums over the members; ratios are computed of these
 * sums, by the columns. So are totals, what came since a mark, and facts that only grow. Of facts
 * that are states, see model/fact.h: where rows are threads, what is the whole process' is that of
 * one of them. A member that cannot be counted makes a sum partial; so does one whose facts were
 * lost with its end, since those that its row shows are of the interval before. One that ended
 * before the interval adds to totals alone.
 *
 * Texts. The row has a reading of its own: the kind and id that are given, and as name the text of
 * the id; the user where all members have the same, else FOLD_SEVERAL; of other texts what all have
 * who are alive, or "". It is dead where no member is alive.
 *
 * Ownership: the row and what it points to lie in the arena of the folding; texts are borrowed from
 * the members.
 */
#ifndef MODEL_FOLD_SUM_H
#define MODEL_FOLD_SUM_H

#include "model/delta.h"

#define FOLD_SEVERAL "several"

/* What it is: both together. The text is borrowed. */
struct fold_id {
	uint64_t number;
	const char *text;
};

/* What the sums of one delta have in common. */
struct folding {
	struct arena *arena;       /* where rows lie */
	struct event_joins *joins; /* of the delta, see fold_joins() */
	uint64_t interval_ns;
	/* The numbers that are added, and the texts that are compared. Others are QUALITY_NOT_READ.
	 */
	fact_mask facts;
	bool marked; /* what came since the mark is added, too */
	/* What has ended counts in totals, too; else it has left its own elsewhere
	 * (model/retired_groups.h).
	 */
	bool keeps_ended;
	/* Members may be threads of a process whose leader is none; those of one process follow
	 * each other. */
	bool lacks_leaders;
	struct arena scratch; /* for one member at a time */
};

/* One sum while it is made: what a finished row has is const. */
struct fold_sum {
	struct folding *f;
	struct delta_row *row;
	struct task *task;
	const struct sample_events *events; /* that increment, total and rate are of */
	struct value *increment, *total, *rate, *since;
	struct delta_sums *facts;
	bool any, any_total, any_alive; /* something has been added */
	fact_mask had;                  /* states, of these */
	struct owner last;              /* of the member before */
};

/* What members have left that went: [events->n] and [N_NUMBER_FACTS]. */
struct fold_retired {
	const struct sample_events *events;
	const struct value *total, *since; /* since NULL: nothing since the mark */
	const struct value *fact, *fact_since;
};

/* The memory of joined sets that belongs to a delta. */
struct event_joins *fold_joins(const struct delta *d);
void folding_done(struct folding *f);

void fold_sum_begin(struct fold_sum *s, struct folding *f, struct delta_row *row,
		    const struct kind *kind, struct fold_id id);
void fold_sum_add(struct fold_sum *s, const struct delta_row *member);
/* Adds to totals, and to facts that only grow, what is no member's any more. */
void fold_sum_add_retired(struct fold_sum *s, const struct fold_retired *left);
void fold_sum_end(struct fold_sum *s);

#endif
