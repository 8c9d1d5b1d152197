/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * fold_groups - tasks to groups: by user, by program (model/group_key.h).
 *
 * Members are the rows of a delta of processes, or of threads. Those that the filter leaves out are
 * in no group. A group has a row whether it ran or not, by the order of its id.
 *
 * Numbers. Increments, times and rates are sums over the members; ratios are computed of these
 * sums, by the columns. So are totals and facts that only grow, with what members have left that
 * went (model/gone.h): they never fall. Of facts that are states, see model/fact.h: where rows are
 * threads, the leader has what is the whole process'. A member that cannot be counted makes a sum
 * partial.
 *
 * Texts. The row has a reading of its own: the kind of the key, the id, as name the text of the
 * key, and the user where all members have the same, else GROUP_SEVERAL; the program is not
 * known of other keys; other texts are those that all have who are alive, or "". It is dead where
 * no member is alive.
 */
#ifndef MODEL_FOLD_GROUPS_H
#define MODEL_FOLD_GROUPS_H

#include "model/delta.h"
#include "model/filter.h"
#include "model/gone.h"
#include "model/group_key.h"

#define GROUP_SEVERAL "several"

struct grouping {
	enum group_key key;
	const struct filter *filter; /* who is a member */
	const struct filter *watch;  /* a group with such a member is marked; NULL: none is */
	bool use_cmdline;            /* in both */
	bool sticky;                 /* also groups whose members have all gone */
};

/* gone: with the same filter; it has looked at this delta. */
void fold_groups(struct delta *out, const struct delta *in, const struct grouping *by,
		 const struct gone *gone);

#endif
