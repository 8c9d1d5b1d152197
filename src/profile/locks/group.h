/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * group - sums lines of a report (report.h) that have something in common: the variable, the place
 * in the code, the lock, the kind of lock, or only the process.
 *
 * Numbers and histograms are added, the maximum is the largest one, and means and deviations follow
 * from the sums. The holder is the place for which the group waited longest in all. The certainty
 * is that of the least certain line. Lines whose waits are idle, and lines of futexes and of other
 * objects that are not held, are not summed with those of locks.
 *
 * Locks of one variable are those in the same symbol, such as the elements of an array. Locks
 * without a name are summed if the same place acquired them first.
 */
#ifndef PROFILE_LOCKS_GROUP_H
#define PROFILE_LOCKS_GROUP_H

#include "base/err.h"
#include "profile/locks/report.h"
#include "profile/locks/resolver.h"

enum locks_group_key {
	LOCKS_BY_NONE,
	LOCKS_BY_VARIABLE,
	LOCKS_BY_PLACE,
	LOCKS_BY_LOCK,
	LOCKS_BY_KIND,
	LOCKS_BY_PROCESS,
	LOCKS_BY_THREAD, /* sums no lines: locks_threads_make() makes the rows */
	/* By variable and place, but only LOCKS_FOLD locks or more: the lines of fewer locks are
	 * kept as they are. Users cannot choose it. */
	LOCKS_BY_ARRAY,
	LOCKS_GROUP_KEYS
};

#define LOCKS_FOLD 8

struct locks_groups {
	struct locks_line *line; /* [n]; sorted as those of a report */
	size_t n;
	char **name; /* [n_names]: the names of groups; owned */
	size_t n_names, cap_names;
	struct locks_quantity *counts; /* the memory of all counts; owned */
};

/* Returns the name of a key; NULL: users cannot choose it. */
const char *locks_group_key_name(enum locks_group_key key);
/* Finds the key with a name. Returns 0, or -EINVAL with a sentence. */
int locks_group_find(enum locks_group_key *key, const char *name, struct err *err);
/* Sums the lines of a report that was made of the copy. The groups borrow from both. */
void locks_groups_make(struct locks_groups *g, enum locks_group_key key, const struct locks_copy *c,
		       const struct locks_report *r, struct resolver *names);
void locks_groups_done(struct locks_groups *g);

#endif
