/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * lock_name - appends names of locks and callers, and says which numbers exist for each kind of
 * lock.
 */
#ifndef PROFILE_LOCKS_LOCK_NAME_H
#define PROFILE_LOCKS_LOCK_NAME_H

#include <stdbool.h>

#include "base/strbuf.h"
#include "profile/locks/resolver.h"

/* Appends the name of a caller: function and offset, else file and offset, else the address; "-":
 * none. */
void locks_name_add_caller(struct resolver *names, struct strbuf *out, uint64_t caller);
/* Appends file and line of the call in the source. Returns false if they are unknown. */
bool locks_name_add_source(struct resolver *names, struct strbuf *out, uint64_t caller);
/* Appends the name of a lock: its variable, else the caller that acquired it first, in brackets;
 * "other" for NULL. */
void locks_name_add(struct resolver *names, struct strbuf *out, const struct locks_instance *i);
/* Returns the kind of a lock, such as "mutex"; of an rwlock "rwlock-read" if `shared`, else
 * "rwlock-write"; "-" for NULL. */
const char *locks_name_kind(const struct locks_instance *i, bool shared);
/* Returns whether it is known how many acquisitions had to wait. It is known for the kinds of locks
 * that a thread holds after acquiring them (locks_is_held()), and for NULL: several locks. */
bool locks_name_knows_contended(const struct locks_instance *i);
/* Returns whether the owner of a lock is known: only for the kinds of locks_is_held(), and not for
 * several locks, nor over several processes. */
bool locks_name_knows_owner(const struct locks_instance *i);

#endif
