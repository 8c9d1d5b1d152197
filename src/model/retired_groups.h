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

#define GONE_MAX 10000

/* What a group has of members that have ended or moved to another group. */
struct gone_group {
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

struct gone_key {
	struct gone_group **v; /* by id */
	size_t n, cap;
};

struct gone {
	struct gone_key key[N_GROUP_KEYS];
	struct filter filter; /* whose members these are; the text is its own */
	bool use_cmdline;
	char *test;           /* the text of the question that members were asked; NULL: none */
	size_t max;           /* groups of a key; gone_init() makes it GONE_MAX */
	enum group_key only;  /* the key of which sums are kept; GROUP_PROCESS: of all */
	uint64_t n_forgotten; /* groups */
	uint64_t generation, mono_ns; /* of the last sample that was looked at */
};

void gone_init(struct gone *g);
void gone_done(struct gone *g);
/* Fills an empty one with all that another one has. */
void gone_copy(struct gone *g, const struct gone *from);
/* Takes what went in the interval of this delta, of processes or threads: once, however often it is
 * called. test: who is a member beside; NULL: all are. */
void gone_update(struct gone *g, const struct delta *d, const struct filter *filter,
		 bool use_cmdline, const struct row_test *test);
/* Since the present moment, nobody has left anything. */
void gone_mark(struct gone *g);
/* NULL: nothing. */
const struct gone_group *gone_find(const struct gone *g, enum group_key key, struct group_id id);

#endif
