/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * fold_groups - tasks to groups: by user, by program (model/group_key.h).
 *
 * Members are the rows of a delta of processes, or of threads. Those that the filter leaves out are
 * in no group. A group has a row whether it ran or not, by the order of its id.
 *
 * The row is what model/fold_sum.h makes of the members, with what those have left that went
 * (model/retired_groups.h): totals, and facts that only grow, never fall. Its reading has the kind
 * of the key, the id, and as name the text of the key.
 */
#ifndef MODEL_FOLD_GROUPS_H
#define MODEL_FOLD_GROUPS_H

#include "model/delta.h"
#include "model/filter.h"
#include "model/group_key.h"
#include "model/retired_groups.h"

struct grouping {
	enum group_key key;
	const struct filter *filter; /* who is a member */
	const struct filter *watch;  /* a group with such a member is marked; NULL: none is */
	bool use_cmdline;            /* in both */
	const struct row_test *test; /* who is one of these; NULL: all are */
	bool sticky;                 /* also groups whose members have all gone */
};

/* gone: with the same filter; it has looked at this delta. */
void fold_groups(struct delta *out, const struct delta *in, const struct grouping *by,
		 const struct retired_groups *retired);

#endif
