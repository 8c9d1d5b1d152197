/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * debug - what debug information says of the addresses of a file, where there is any: in the file,
 * or in another one that is known by its build id or named by the file.
 *
 * libdw reads it. It is loaded when it is asked for the first time, as most starts need no names.
 * A file of that build is looked for on this machine only, whatever DEBUGINFOD_URLS says.
 */
#ifndef PROFILE_LOCKS_DEBUG_H
#define PROFILE_LOCKS_DEBUG_H

#include <stdbool.h>
#include <stdint.h>

#include "base/strbuf.h"
#include "profile/locks/symbol_table.h"

struct debug;

/* NULL: there is no libdw, or it is no file for it. fd stays open. */
struct debug *debug_open(const char *path, int fd);
void debug_close(struct debug *d);

/* Adds all symbols of functions and variables, and sorts the table. Their names are valid until
 * debug_close(). */
void debug_add_symbols(struct debug *d, struct symbol_table *table);
/* Appends file and line of the source, as the debug information has them: a path, a colon and a
 * number. In a function that the compiler has put into others, it is the line of the outermost one,
 * which has the symbol. False: there is none; nothing is appended. */
bool debug_add_line(struct debug *d, struct strbuf *out, uint64_t address);

#endif
