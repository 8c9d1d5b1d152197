/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * retired_groups - what members leave to their group when they end, so that the total of a group
 * never falls, unless a member gives some of it to another group (moved, sample.h): the rest of a
 * command does.
 *
 * For each group of each key, gone keeps the sums of what such members had counted, and of their
 * facts that only grow. A member may move to another group (execve(2), setuid(2)): what it had
 * counted until then stays with the old group, and the new group gets only what it counts from
 * then on.
 *
 * What is asked of rows (struct row_test) may have another answer at each refresh: whoever passes
 * is a member with all that it has, whoever does not takes it along. So such a total may fall; but
 * what has ended stays, if it passed in its last interval.
 *
 * All is forgotten with another filter, whose groups have other members, and with another
 * generation, whose totals begin anew. Each key has its own sums, so that the user can change the
 * key without losing any.
 *
 * Memory: where there are more than `max` groups of a key, half of those without a member are
 * forgotten, the ones that were left longest ago first.
 */
#ifndef MODEL_RETIRED_GROUPS_H
#define MODEL_RETIRED_GROUPS_H

#include "model/delta.h"
#include "model/filter.h"
#include "model/group_key.h"

#define RETIRED_GROUPS_MAX 10000

/* What a group has of members that have ended or moved to another group. */
struct retired_group {
	struct group_id id;                /* the texts are its own */
	struct sample_events *events;      /* referenced; NULL: nothing was wanted */
	struct value *total;               /* [events->n] */
	struct value fact[N_NUMBER_FACTS]; /* of counters */
	/* The same since the mark. */
	struct value *since, fact_since[N_NUMBER_FACTS];
	bool any;         /* something has been added */
	bool any_since;   /* since the mark, too */
	bool living;      /* mark of a look for members */
	uint64_t mono_ns; /* of the sample in which something was added last */
};

struct retired_key {
	struct retired_group **v; /* by id */
	size_t n, cap;
};

struct retired_groups {
	struct retired_key key[N_GROUP_KEYS];
	struct filter filter; /* whose members these are; the text is its own */
	bool use_cmdline;
	char *test; /* the text of the question that members were asked; NULL: none */
	size_t max; /* groups of a key; retired_groups_init() makes it RETIRED_GROUPS_MAX */
	enum group_key only;          /* the key of which sums are kept; GROUP_PROCESS: of all */
	uint64_t n_forgotten;         /* groups */
	uint64_t generation, mono_ns; /* of the last sample that was looked at */
};

void retired_groups_init(struct retired_groups *g);
void retired_groups_done(struct retired_groups *g);
/* Fills an empty one with all that another one has. */
void retired_groups_copy(struct retired_groups *g, const struct retired_groups *from);
/* Takes what went in the interval of this delta, of processes or threads: once, however often it is
 * called. test: who is a member beside; NULL: all are. */
void retired_groups_update(struct retired_groups *g, const struct delta *d,
			   const struct filter *filter, bool use_cmdline,
			   const struct row_test *test);
/* Since the present moment, nobody has left anything. */
void retired_groups_mark(struct retired_groups *g);
/* NULL: nothing. */
const struct retired_group *retired_groups_find(const struct retired_groups *g, enum group_key key,
						struct group_id id);

#endif
