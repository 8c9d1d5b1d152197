/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * fold_groups - folds tasks into groups, such as all tasks of a user or a program
 * (model/group_key.h).
 *
 * Members are the rows of a delta of processes, or of threads, that pass the filters. Idle groups
 * have a row, too. Rows are sorted by the id of the group; after them come the groups without
 * members, sorted as well.
 *
 * A row is the sum of the members (model/fold_sum.h) and of the counts that retired members left
 * (model/retired_groups.h), so that totals and facts that only grow do not fall when a member ends.
 * Its reading has the kind and the id of the group; its name is the text of the id.
 */
#ifndef MODEL_FOLD_GROUPS_H
#define MODEL_FOLD_GROUPS_H

#include "model/delta.h"
#include "model/fold_sum.h"
#include "model/group_key.h"
#include "model/retired_groups.h"
#include "model/sample.h"

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
