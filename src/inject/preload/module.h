/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * module - from which files the code of the process comes, noted in its table, so that addresses
 * have names after its end.
 *
 * /proc/self/maps is read when a caller lies in none that is known. No function of the dynamic
 * loader is asked, as those lock.
 */
#ifndef INJECT_PRELOAD_MODULE_H
#define INJECT_PRELOAD_MODULE_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "inject/preload/table.h"

/* Whether a file has the system call of futex(2) in its own code, so that nobody sees it: libgomp,
 * the library of OpenMP. */
static inline bool module_calls_futex(const char *path)
{
	static const char name[] = "/libgomp.so";
	const char *own = strrchr(path, '/');

	return own && !strncmp(own, name, sizeof name - 1);
}

/* Notes the module that has this address, and returns it with its layer. Under the guard. */
uint64_t module_note(uintptr_t address);
/* The same of a module that has been noted; of another one, it may have no name. */
uint64_t module_place(uintptr_t address);

/* Notes those that wait themselves. Under the guard. */
void module_note_futex(void);
/* Notes all files that are mapped. Under the guard. */
void module_note_all(void);
/* Tells of those that are mapped no more, since this was asked last. Under the guard. */
void module_find_unmapped(void (*tell)(const struct locks_module *m));

#endif
