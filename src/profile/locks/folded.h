/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * folded - writes the waits for locks by call stack, in the folded format of flamegraph.pl and
 * others:
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
/* Appends a line for each chain of waits (chains.h). It begins with the holder of the last lock;
 * then come the locks, the last one first, each with the function that waited for it:
 *
 *   process 4711;[held by h];[lock b];g;[lock a];f 12345
 */
void locks_folded_add_chains(const struct locks_copy *c, struct resolver *names,
			     struct strbuf *out);

#endif
