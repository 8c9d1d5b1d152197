/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * debug - reads symbols and source lines from the debug information of a file. The information is
 * in the file itself or in another file, which is found by the build id or by a name in the file.
 *
 * libdw reads it, and a symbol table in .gnu_debugdata as well. The library is loaded on first use,
 * as most runs of tiptop need no names. Files with debug information are searched on this machine
 * only: DEBUGINFOD_URLS is ignored, but files in the cache of debuginfod's client are used.
 */
#ifndef PROFILE_LOCKS_DEBUG_H
#define PROFILE_LOCKS_DEBUG_H

#include <stdbool.h>
#include <stdint.h>

#include "base/strbuf.h"
#include "profile/locks/symbol_table.h"

struct debug;

/* Loads libdw, and the library that it needs to search files, now. */
void debug_load(void);
/* Opens the debug information of a file. fd stays open, owned by the caller. Returns NULL without
 * libdw, or if libdw cannot read the file. */
struct debug *debug_open(const char *path, int fd);
void debug_close(struct debug *d);

/* Adds all symbols of functions and variables to a table and sorts it. The names are valid until
 * debug_close(). */
void debug_add_symbols(struct debug *d, struct symbol_table *table);
/* Appends the source line of an address as in the debug information: path, colon, number. For
 * inlined code, it is the line of the outermost inlined call, in the function that has the symbol.
 * Returns false, and appends nothing, if it is unknown. */
bool debug_add_line(struct debug *d, struct strbuf *out, uint64_t address);

#endif
