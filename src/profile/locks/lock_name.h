/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * lock_name - how locks and their callers are called, and what can be known of each kind of locks.
 */
#ifndef PROFILE_LOCKS_LOCK_NAME_H
#define PROFILE_LOCKS_LOCK_NAME_H

#include <stdbool.h>

#include "base/strbuf.h"
#include "profile/locks/resolver.h"

/* Appends function and offset, else file and offset, else the address; "-": none. */
void locks_name_add_caller(struct resolver *names, struct strbuf *out, uint64_t caller);
/* Appends file and line of the source where it called. False: they are not known. */
bool locks_name_add_source(struct resolver *names, struct strbuf *out, uint64_t caller);
/* Appends a variable's name, else who acquired it first; "other": NULL. */
void locks_name_add(struct resolver *names, struct strbuf *out, const struct locks_instance *i);
/* "mutex"; of a lock that can be shared, what it was acquired for, too; "-": NULL. */
const char *locks_name_kind(const struct locks_instance *i, bool shared);
/* Of what is not held, nobody knows whether somebody else had it. NULL: of several. */
bool locks_name_knows_contended(const struct locks_instance *i);
/* Nor who had it last; and not of several, either. */
bool locks_name_knows_owner(const struct locks_instance *i);

#endif
