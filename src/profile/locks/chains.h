/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * chains - sums the chains of waits of a process (struct locks_chain) by their names:
 *
 *   a (f) > b (g)   f waited for the lock a while the holder of a waited in g for the lock b
 *
 * Only chains of two waits or more are listed.
 */
#ifndef PROFILE_LOCKS_CHAINS_H
#define PROFILE_LOCKS_CHAINS_H

#include "profile/locks/copy.h"
#include "profile/locks/resolver.h"

struct chain_sum {
	char *text;
	const struct locks_chain *chain; /* of those that are summed, the one with most ticks */
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
