/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * module - notes in the table which files the code of the process comes from, so that tiptop can
 * find the names of addresses after the process has ended.
 *
 * /proc/self/maps is read when a caller lies in no noted file. Functions of the dynamic loader are
 * not called, as they acquire locks.
 */
#ifndef INJECT_PRELOAD_MODULE_H
#define INJECT_PRELOAD_MODULE_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "inject/preload/table.h"

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

#endif
