/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * folded - who waited for locks, as the lines that flamegraph.pl and others make flame graphs of:
 *
 *   process 4711;main;work;[lock queue];[held by drain] 12345
 *
 * The functions that called each other come first, then the lock that the last one waited for, and
 * who had acquired it, where that is known; the number is for how many ns.
 */
#ifndef PROFILE_LOCKS_FOLDED_H
#define PROFILE_LOCKS_FOLDED_H

#include "base/strbuf.h"
#include "profile/locks/copy.h"
#include "profile/locks/resolver.h"

/* Appends a line for each who waited. */
void locks_folded_add(const struct locks_copy *c, struct resolver *names, struct strbuf *out);

#endif
