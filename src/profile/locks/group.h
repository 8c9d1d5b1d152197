/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * group - sums lines of a report (report.h) that are alike: those of one variable, of one place in
 * the code, of one lock, or of one kind of lock.
 *
 * Numbers and histograms are added, the maximum is the largest one, and means and deviations follow
 * from the sums. The holder is the place for which the group waited longest in all. Idle waits, and
 * kinds of locks that have other numbers, are never in one group with locks.
 *
 * Locks of one variable are the elements of an array, and all others in the same symbol; locks
 * without a name are alike if the same place acquired them first.
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
	LOCKS_BY_THREAD, /* not by lines, but by threads.h */
	/* By variable and place, but only LOCKS_FOLD locks or more: fewer keep lines of their own.
	 * No group that a user chooses. */
	LOCKS_BY_ARRAY,
	LOCKS_GROUP_KEYS
};

#define LOCKS_FOLD 8

struct locks_groups {
	struct locks_line *line; /* [n]; sorted as those of a report */
	size_t n;
	char **name; /* [n_names]: the names of groups */
	size_t n_names, cap_names;
	struct locks_quantity *counts;
};

/* Returns the name of a key; NULL: users do not choose it. */
const char *locks_group_key_name(enum locks_group_key key);
/* Finds the key that a user names. Returns 0, or -EINVAL with a sentence. */
int locks_group_find(enum locks_group_key *key, const char *name, struct err *err);
/* Sums the lines of a report, which was made of the copy. */
void locks_groups_make(struct locks_groups *g, enum locks_group_key key, const struct locks_copy *c,
		       const struct locks_report *r, struct resolver *names);
void locks_groups_done(struct locks_groups *g);
/* Appends the name of the group that a lock and a caller belong to; "" if the key has only one. */
void locks_group_add_name(struct strbuf *out, enum locks_group_key key,
			  const struct locks_line *line, struct resolver *names);

#endif
