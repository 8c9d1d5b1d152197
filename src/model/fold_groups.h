/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * fold_groups - folds tasks into groups, such as all tasks of a user or a program
 * (model/group_key.h), and keeps the counts of members that ended or left (struct retired_groups).
 *
 * Members are the rows of a delta of processes, or of threads, that pass the filters. Idle groups
 * have a row, too. Rows are sorted by the id of the group; after them come, if they are wanted, the
 * groups without members, sorted as well.
 *
 * A row is the sum of the members (model/fold_sum.h) and of the counts that retired members left,
 * so that totals and facts that only grow do not fall when a member ends.
 * Its reading has the kind and the id of the group; its name is the text of the id.
 */
#ifndef MODEL_FOLD_GROUPS_H
#define MODEL_FOLD_GROUPS_H

#include "model/delta.h"
#include "model/fold_sum.h"
#include "model/group_key.h"
#include "model/sample.h"

/* ---- retired groups ----
 *
 * Keeps the counts of group members that ended or left, so that the total of a group does not fall.
 * It still falls if counts of a member, such as the rest row of a command, move to a row of another
 * group (see "Moved counts" in sample.h).
 *
 * For each group of each key, there are sums over these members: of their counts, and of facts that
 * only grow. A member may move to another group, by execve(2) or setuid(2): its counts so far stay
 * with the old group, and the new group gets only what it counts from then on.
 *
 * A row filter (struct row_test) can decide differently at each refresh. A row is a member, with
 * all its counts, only while it passes, so totals may fall with such a filter. Members that ended
 * stay if they passed in their last interval.
 *
 * A new filter or a new generation clears all: groups have other members then, or totals restart.
 * Each key has its own sums, so changing the key loses none.
 *
 * Memory: above `max` groups of a key, at least half of the groups without a living member are
 * dropped, the longest unchanged first.
 */

#define RETIRED_GROUPS_MAX 10000

/* The sums of a group over members that ended or moved to another group. */
struct retired_group {
	struct group_id id;           /* texts: owned */
	struct sample_events *events; /* a reference; NULL: no events */
	struct value *total;          /* [events->n] */
	struct value *fact;           /* one for each number; of facts that only grow */
	/* total and fact, but since the mark. */
	struct value *since, *fact_since;
	bool any;         /* a member was added */
	bool any_since;   /* a member was added since the mark */
	bool living;      /* scratch: the group has a living member in this sample */
	uint64_t mono_ns; /* of the sample that added the last member */
};

struct retired_key {
	struct retired_group **v; /* sorted by id */
	size_t n, cap;
};

struct retired_groups {
	struct retired_key key[N_GROUP_KEYS];
	struct filter filter; /* the filter that the members passed; its text is owned */
	bool use_cmdline;
	char *test; /* the text of the row filter that members passed; NULL: none; owned */
	size_t max; /* limit of groups per key; retired_groups_init() sets RETIRED_GROUPS_MAX */
	enum group_key only;          /* keep sums of this key only; GROUP_PROCESS: of all keys */
	uint64_t n_forgotten;         /* groups dropped */
	uint64_t generation, mono_ns; /* of the last sample processed */
};

void retired_groups_init(struct retired_groups *g);
void retired_groups_done(struct retired_groups *g);
/* Copies all sums and the filters of `from` into g, which must be empty. */
void retired_groups_copy(struct retired_groups *g, const struct retired_groups *from);
/* Adds the processes or threads that ended or moved in the interval of this delta; repeated calls
 * for one delta add them once. test: the row filter; NULL: none. */
void retired_groups_update(struct retired_groups *g, const struct delta *d,
			   const struct filter *filter, bool use_cmdline,
			   const struct row_test *test);
/* Sets the mark: sums since the mark restart at 0. */
void retired_groups_mark(struct retired_groups *g);
/* Returns the sums of a group; NULL: none. */
const struct retired_group *retired_groups_find(const struct retired_groups *g, enum group_key key,
						struct group_id id);

/* ---- folding ---- */

struct grouping {
	enum group_key key;
	const struct filter *filter; /* selects the members */
	/* A group is marked as watched if a member passes this; NULL: none. */
	const struct filter *watch;
	bool use_cmdline;            /* both filters search the command line for their text */
	const struct row_test *test; /* a further condition on members; NULL: none */
	/* Also make rows for groups whose members have all ended or left. */
	bool sticky;
	struct fact_set only; /* only these facts are summed up, others are unknown; empty: all */
};

/* Computes the rows of the groups. retired: already updated with this delta and the same filter. */
void fold_groups(struct delta *out, const struct delta *in, const struct grouping *by,
		 const struct retired_groups *retired);

/* Adds the retired members (NULL: none) and completes the row of a group. If the key includes the
 * program, the row has its name even if no member is alive. */
void fold_groups_end(struct fold_sum *s, struct group_id id, const struct retired_group *retired);

#endif
