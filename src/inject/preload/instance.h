/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * instance - which lock lives at an address.
 *
 * An instance is a lock from its first use until it is destroyed or initialised: what comes to its
 * address then is another one. A lock that is never destroyed, as a std::mutex, and whose memory is
 * used again, cannot be told from the next one.
 *
 * The table has room for LOCKS_SINGLE of them. Those that come later are one for each caller that
 * acquires the first of them, so that a program that makes locks and destroys them all the time is
 * measured, too. An address that has become a part of one of these stays so.
 */
#ifndef INJECT_PRELOAD_INSTANCE_H
#define INJECT_PRELOAD_INSTANCE_H

#include <stdbool.h>

#include "inject/preload/table.h"

/* False: there is no memory. */
bool instance_begin(void);
/* Forgets all addresses; the records stay in the table. */
void instance_end(void);
/* The lock that lives at the address, or a new record of it. NULL: there is no room. Under the
 * guard. */
struct locks_instance *instance_get(uintptr_t address, enum locks_kind kind, uint64_t caller);
/* The last lock that was used at this address; NULL: there was none. Without the guard. */
struct locks_instance *instance_find(uintptr_t address);
/* Whether instance_get() can find room: without the guard. */
bool instance_has_room(uintptr_t address);
/* The lock at this address, if there is one that was used, ends. Without the guard, in a thread
 * that is measured. */
void instance_destroy(uintptr_t address);

#endif
