/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * instance - the records of locks, found by their addresses.
 *
 * An instance is a lock from its first use until it is destroyed or initialized again: a later lock
 * at the same address is another instance. A lock that is never destroyed, such as a std::mutex,
 * cannot be distinguished from the next one in the same memory.
 *
 * The table has LOCKS_SINGLE records for one lock each. Later locks share records: one for each
 * kind of lock and each caller that acquires a lock first. So a program that keeps creating locks
 * can be measured, too. An address that was assigned to a shared record stays assigned to it.
 */
#ifndef INJECT_PRELOAD_INSTANCE_H
#define INJECT_PRELOAD_INSTANCE_H

#include <stdbool.h>

#include "inject/preload/table.h"

/* Allocates the hash tables. Returns false if there is no memory. */
bool instance_begin(void);
/* Forgets all addresses; the records stay in the table. */
void instance_end(void);
/* Returns the record of the lock at an address. If there is none, or the last lock at the address
 * has ended, makes a new one. NULL: no room. Called under the guard. */
struct locks_instance *instance_get(uintptr_t address, enum locks_kind kind, uint64_t caller);
/* Returns the record of the last lock used at an address; NULL: none. Needs no guard. */
struct locks_instance *instance_find(uintptr_t address);
/* Returns whether instance_get() can find room. Needs no guard. */
bool instance_has_room(uintptr_t address);
/* Ends the lock at this address, if one was used there. Needs no guard; called in a measured
 * thread. */
void instance_destroy(uintptr_t address);

#endif
