/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * kept_groups - the rows of all groups, kept from one refresh to the next.
 *
 * A row is that of fold_groups(), without sums since the mark, and with totals that may differ in
 * their last digit if some of them were scaled, as members are added in another order. But a group
 * is folded again only if a member came, left, or ran in this interval or in the one before: else
 * its row is the same, as all increments are 0 again. Then only its members that ran are folded, as
 * the sum of the others is kept, too (struct resting). So the cost is that of the tasks that
 * ran, and a few instructions for each other task.
 *
 * Everything is folded again if the filter, the facts or the generation of samples change.
 *
 * Ownership: a group has its texts, the memory of its row and `own`. Readings of members are
 * referenced, as rows borrow their texts.
 */
#ifndef MODEL_KEPT_GROUPS_H
#define MODEL_KEPT_GROUPS_H

#include "base/lookup.h"
#include "model/fold_groups.h"
#include "model/fold_sum.h"

/* The sum of the idle members of a group; internal. */
struct resting {
	size_t n; /* members */
	/* A state that all have in common is unknown: add all members again. */
	bool stale;
	struct fact_set facts;
	char *user;                    /* of all members */
	struct sample_events *events;  /* of all members; a reference */
	struct value fast_ns, core_ns; /* of each member */
	struct resting_sum *sum;       /* of the facts, then of the events */
};

struct kept_group {
	struct group_id id;   /* the texts are owned */
	struct delta_row row; /* valid until the next update */
	bool changed;         /* the row was made again by the last update */
	void *own;            /* for the user of this module, freed with free(); NULL at first */
	/* internal */
	struct kept_group *next; /* with the same key of the hash */
	void *data;              /* to which the row points */
	struct sample_events *events;
	struct fold_sum *sum;   /* during an update */
	struct resting resting; /* members that are idle */
	bool resting_emptied;   /* during an update: no member is in `resting` any more */
	size_t n_members;
	bool has_retired;
};

/* A task of the last sample. */
struct kept_task {
	const struct task *task;     /* a reference */
	size_t n;                    /* tasks of its process, of which this is the first; else 0 */
	bool quiet;                  /* nothing happened to these tasks in the interval */
	struct kept_group *group;    /* NULL: none, as a filter excludes the process */
	struct resting_share *share; /* what it adds to group->resting; NULL: nothing */
	const struct delta_row *row; /* of the process; NULL: idle; valid during an update */
};

struct kept_groups {
	/* All groups; users may sort them. New ones are at the end. */
	struct kept_group **v;
	size_t n, cap;
	/* internal */
	struct hash by_id;
	struct kept_task *task, *previous; /* in the order of the sample */
	size_t n_tasks, n_previous, cap_tasks, cap_previous;
	size_t n_retired; /* groups with has_retired */
	/* The settings for which the groups were made. */
	enum group_key key;
	struct filter filter; /* its text is owned */
	char *test;           /* NULL: none; owned */
	bool use_cmdline, processes;
	struct fact_set facts;
	uint64_t generation, n_forgotten;
	struct arena arena; /* emptied by each update */
};

void kept_groups_init(struct kept_groups *k);
void kept_groups_done(struct kept_groups *k);
/* Updates all groups, including those without members that have retired ones. facts: the facts to
 * sum up. by: without `watch`; retired: already updated with this delta and the same filter. */
void kept_groups_update(struct kept_groups *k, const struct delta *in, const struct grouping *by,
			const struct retired_groups *retired, struct fact_set facts);

#endif
