/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * debug - what debug information says of the addresses of a file, where there is any: in the file,
 * or in another one that is known by its build id or named by the file.
 *
 * libdw reads it. It is loaded when it is asked for the first time, as most starts need no names.
 * A file of that build is looked for on this machine only, whatever DEBUGINFOD_URLS says.
 */
#ifndef LOCKS_DEBUG_H
#define LOCKS_DEBUG_H

#include <stdbool.h>
#include <stdint.h>

#include "base/strbuf.h"

struct debug;

/* NULL: there is no libdw, or it is no file for it. fd stays open. */
struct debug *debug_open(const char *path, int fd);
void debug_close(struct debug *d);

/* The function or variable that has the address that the file was linked for, and how far behind
 * its begin that is. Valid until debug_close(); NULL: there is none. */
const char *debug_find(struct debug *d, uint64_t address, uint64_t *offset);
/* Appends file and line of the source, as the debug information has them: a path, a colon and a
 * number. In a function that the compiler has put into others, it is the line of the outermost one,
 * which has the symbol. False: there is none; nothing is appended. */
bool debug_add_line(struct debug *d, struct strbuf *out, uint64_t address);

#endif
