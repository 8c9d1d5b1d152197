/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * locks - the table of locks of this process (table.h), in the file that process.h makes; and its
 * records: of files with code (module), of threads, locks and callers (rows), and of locks
 * (instance).
 *
 * start.c makes the table and sets the pointers. Records are added under the guard, and found
 * without it.
 */
#ifndef INJECT_PRELOAD_LOCKS_H
#define INJECT_PRELOAD_LOCKS_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "inject/preload/table.h"

struct locks {
	struct locks_header *header; /* NULL: this process is not measured */
	struct locks_module *module;
	struct locks_instance *instance; /* [0] has the number 1 */
	struct locks_thread *slot;
	struct locks_wait *wait;
	struct locks_past *past;
	struct locks_chain *chain; /* [0] is not used */
	struct locks_row *row;     /* [0] has the number 1 */
};

extern struct locks locks;

/* ---- module ----
 *
 * Notes in the table which files the code of the process comes from, so that tiptop can
 * find the names of addresses after the process has ended.
 *
 * /proc/self/maps is read when a caller lies in no noted file. Functions of the dynamic loader are
 * not called, as they acquire locks.
 */

/* Returns whether a file contains the system call futex(2) itself, so that its waits are not
 * noticed: libgomp, the library of OpenMP. */
static inline bool module_calls_futex(const char *path)
{
	static const char name[] = "/libgomp.so";
	const char *own = strrchr(path, '/');

	return own && !strncmp(own, name, sizeof name - 1);
}

/* Notes the module that is mapped at an address. Returns the address with the module's layer
 * (locks_place()). Called under the guard. */
uint64_t module_note(uintptr_t address);
/* Returns the address with its layer, but does not note the module. If the module was not noted
 * before, tiptop may find no name for the address. */
uint64_t module_place(uintptr_t address);

/* Notes the mapped files for which module_calls_futex() is true. Called under the guard. */
void module_note_futex(void);
/* Notes all mapped files. Called under the guard. */
void module_note_all(void);
/* Calls tell() for each module that was unmapped since the last call. Called under the guard. */
void module_find_unmapped(void (*tell)(const struct locks_module *m));

/* ---- rows ----
 *
 * Allocates the rows of the table. rows_new(), rows_free() and rows_forget() are called under the
 * guard.
 */

/* Returns an empty row for a lock; NULL: no room. */
struct locks_row *rows_new(uint32_t slot, const struct locks_instance *instance, uint64_t caller);
void rows_free(struct locks_row *row);
/* Returns the number of a row in the table, from 1 on. */
uint32_t rows_number(const struct locks_row *row);
/* Returns the number of a row in the table, from 1 on; 0: the row is not in the table. */
uint32_t rows_number_or_none(const struct locks_row *row);
/* Returns the counts of a row of the table; NULL: no events are counted. */
struct locks_quantity *rows_counts(const struct locks_row *row);
/* Returns the counts of the row `other` of a slot (table.h); NULL: no events are counted. */
struct locks_quantity *rows_counts_of_slot(uint32_t slot);
/* Returns whether rows_new() has found no room, and no row was freed since then. */
bool rows_are_full(void);

/* In a child: resets the state, as its table has no rows yet. */
void rows_forget(void);

/* ---- instance ----
 *
 * The records of locks, found by their addresses.
 *
 * An instance is a lock from its first use until it is destroyed or initialized again: a later lock
 * at the same address is another instance. A lock that is never destroyed, such as a std::mutex,
 * cannot be distinguished from the next one in the same memory.
 *
 * The table has LOCKS_SINGLE records for one lock each. Later locks share records: one for each
 * kind of lock and each caller that acquires a lock first. So a program that keeps creating locks
 * can be measured, too. An address that was assigned to a shared record stays assigned to it.
 */

/* Allocates the hash tables. Returns false if there is no memory. */
bool instance_begin(void);
/* Forgets all addresses; the records stay in the table. */
void instance_end(void);
/* Returns the record of the lock at an address. If there is none, or the last lock at the address
 * has ended, makes a new one. NULL: no room. Called under the guard. */
struct locks_instance *instance_get(uintptr_t address, enum locks_kind kind, uint64_t caller);
/* Returns the record of the last lock used at an address; NULL: none. Needs no guard. */
struct locks_instance *instance_find(uintptr_t address);
/* Returns false if instance_get() has found no room before, and the address has no record. Needs no
 * guard. */
bool instance_has_room(uintptr_t address);
/* Ends the lock at this address, if it has a record of its own. Needs no guard; called in a
 * measured thread. */
void instance_destroy(uintptr_t address);

#endif
