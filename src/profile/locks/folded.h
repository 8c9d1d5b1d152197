/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * folded - sums chains of waits, and writes the waits for locks by call stack, in the folded format
 * of flamegraph.pl and others:
 *
 *   process 4711;main;work;[lock queue];[held by drain] 12345
 *
 * The call stack comes first, then the lock that the innermost function waited for, and the
 * function that had acquired it, if known. The number is the time of the waits in ns.
 *
 * With groups (group.h), the group comes before the call stack, so that the graph has a tower for
 * each variable, place, lock or kind of lock.
 */
#ifndef PROFILE_LOCKS_FOLDED_H
#define PROFILE_LOCKS_FOLDED_H

#include "base/strbuf.h"
#include "profile/locks/copy.h"
#include "profile/locks/group.h"
#include "profile/locks/resolver.h"

/* Appends a line for each record of waits. */
void locks_folded_add(const struct locks_copy *c, struct resolver *names, enum locks_group_key key,
		      struct strbuf *out);
/* Appends a line for each chain of waits (struct locks_chain). It begins with the holder of the
 * last lock; then come the locks, the last one first, each with the function that waited for it:
 *
 *   process 4711;[held by h];[lock b];g;[lock a];f 12345
 */
void locks_folded_add_chains(const struct locks_copy *c, struct resolver *names,
			     struct strbuf *out);

/* ---- chains ----
 *
 * Sums the chains of waits of a process (struct locks_chain) by their names:
 *
 *   a (f) > b (g)   f waited for the lock a while the holder of a waited in g for the lock b
 *
 * Only chains of two waits or more are listed.
 */

struct chain_sum {
	char *text;
	const struct locks_chain
		*chain; /* the chain with the most ticks of those that are summed */
	uint64_t n, ticks;
};

struct locks_chains {
	struct chain_sum *v; /* [n], those with most ticks first */
	size_t n;
	/* The ticks of all records, single waits included; and of those listed. */
	uint64_t ticks, listed;
};

/* Sums the chains of the copy, which must live as long as `c`. */
void locks_chains_make(struct locks_chains *c, const struct locks_copy *copy,
		       struct resolver *names);
void locks_chains_done(struct locks_chains *c);

/* Returns the chain in which the holder was; NULL: it was not known to wait. */
const struct locks_chain *locks_chains_next(const struct locks_copy *copy,
					    const struct locks_chain *chain);
/* Append the name of the lock of the first wait, and that of the function that waited. */
void locks_chains_add_lock(struct strbuf *out, const struct locks_copy *copy,
			   const struct locks_chain *chain, struct resolver *names);
void locks_chains_add_caller(struct strbuf *out, const struct locks_copy *copy,
			     const struct locks_chain *chain, struct resolver *names);
/* Appends the name of the function that held the lock of the last wait. Returns false, and appends
 * nothing, if it is unknown. */
bool locks_chains_add_holder(struct strbuf *out, const struct locks_copy *copy,
			     const struct locks_chain *chain, struct resolver *names);

#endif
