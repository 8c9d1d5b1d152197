/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * chains - the chains of waits of a process (struct locks_chain), by names: "a (f) > b (g)": f
 * waited for the lock a, while its holder waited in g for the lock b.
 *
 * Chains with the same names are one. Only chains of two waits or more are listed.
 */
#ifndef PROFILE_LOCKS_CHAINS_H
#define PROFILE_LOCKS_CHAINS_H

#include "profile/locks/copy.h"
#include "profile/locks/resolver.h"

struct chain_sum {
	char *text;
	const struct locks_chain *chain; /* the longest one of those that are summed */
	uint64_t n, ticks;
};

struct locks_chains {
	struct chain_sum *v; /* [n], those with the longest times first */
	size_t n;
	/* The time of all waits for locks that are in chains, and the part of those listed. */
	uint64_t ticks, listed;
};

void locks_chains_make(struct locks_chains *c, const struct locks_copy *copy,
		       struct resolver *names);
void locks_chains_done(struct locks_chains *c);

/* Returns the chain of the holder; NULL: it waited for nothing that is known. */
const struct locks_chain *locks_chains_next(const struct locks_copy *copy,
					    const struct locks_chain *chain);
/* Append the name of the lock of a wait, and that of the function that waited. */
void locks_chains_add_lock(struct strbuf *out, const struct locks_copy *copy,
			   const struct locks_chain *chain, struct resolver *names);
void locks_chains_add_caller(struct strbuf *out, const struct locks_copy *copy,
			     const struct locks_chain *chain, struct resolver *names);
/* Appends the function that held the last lock; false: unknown. */
bool locks_chains_add_holder(struct strbuf *out, const struct locks_copy *copy,
			     const struct locks_chain *chain, struct resolver *names);

#endif
