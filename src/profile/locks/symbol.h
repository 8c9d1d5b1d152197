/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * symbol - what stands at an address of a process, by the symbols of the files that it had mapped.
 *
 * Files are read when a name of them is asked for, once. One that is another file by now, or no
 * ELF file of this machine's kind, has no names: by its build id, where it has one, else by its
 * inode. Nothing in it is trusted. Its own symbols come first; where it has lost them, and for
 * lines of the source, its debug information is looked for.
 */
#ifndef PROFILE_LOCKS_SYMBOL_H
#define PROFILE_LOCKS_SYMBOL_H

#include <stdbool.h>

#include "base/strbuf.h"
#include "inject/preload/table.h"

struct symbols;

/* module: [n], borrowed. */
struct symbols *symbols_new(const struct locks_module *module, size_t n);
void symbols_free(struct symbols *s);

/* Appends the name of the function or variable that has the address of a place
 * (inject/preload/table.h), and how far behind its begin that is: "main+0x1f". False: there is none
 * that has it; nothing is appended. */
bool symbols_add(struct symbols *s, struct strbuf *out, uint64_t place);
/* Appends the file and the line of the source, and a colon between them. False: it is not known. */
bool symbols_add_line(struct symbols *s, struct strbuf *out, uint64_t place);
/* Appends the name of the file without its folder, and where in it the address is:
 * "libc.so.6+0x8a1f0". False: it is in none. */
bool symbols_add_file(struct symbols *s, struct strbuf *out, uint64_t place);

/* The file of a module, if it is still that one, for reading; -1: it is not. */
int symbols_open_file(const struct locks_module *m);

#endif
