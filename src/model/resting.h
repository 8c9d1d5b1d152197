/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * resting - the sum of those members of a group that are idle: members are added, and removed when
 * they run again, at a cost that does not depend on the number of the others.
 *
 * All increments of such a member are 0. Its totals and states must be whole numbers: then sums do
 * not depend on the order, and removing a member gives exactly the sum without it. A member that
 * has other numbers, such as a total that was scaled, is refused, and has to be added to each sum.
 */
#ifndef MODEL_RESTING_H
#define MODEL_RESTING_H

#include "model/fold_sum.h"

/* What a member has added. */
struct resting_share {
	struct fact_set known;
	double number[]; /* of the facts, then the totals of events */
};

/* The sum of a fact, or of the totals of an event. */
struct resting_sum {
	double sum;
	/* Of states that are not summed up: one of them, and how many members have it. */
	double same;
	uint32_t n_known, n_same;
};

struct resting {
	size_t n;   /* members */
	bool stale; /* a state that all have in common cannot be told: add all members again */
	struct fact_set facts;
	char *user;                    /* of all members */
	struct sample_events *events;  /* of all members; a reference */
	struct value fast_ns, core_ns; /* of each member */
	struct resting_sum *sum;       /* of the facts, then of the events */
};

void resting_init(struct resting *r, struct fact_set facts);
void resting_done(struct resting *r);
/* Adds an idle member. Returns what it added, to be given to resting_remove(); NULL: it is
 * refused. */
struct resting_share *resting_add(struct resting *r, const struct delta_row *member);
/* Removes what a member added, and frees it. */
void resting_remove(struct resting *r, struct resting_share *share);
/* Adds all members to a sum. */
void resting_fold(const struct resting *r, struct fold_sum *s);

#endif
