/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * symbol - reads the files that a process had mapped: finds the names of addresses in their symbols
 * (symbols_...), and those files whose code calls futex(2) (futex_waits_explain()), so that their
 * locks are not in the table, or only when threads wait for them.
 *
 * A file is read once, when a name in it is first requested. It is used only if it is an ELF file
 * of this machine's class, and still the file that was mapped: with the same build id, or without
 * one, the same inode. Its contents are not trusted. Its own symbols come first; if it was
 * stripped, and for source lines, its debug information is used.
 */
#ifndef PROFILE_LOCKS_SYMBOL_H
#define PROFILE_LOCKS_SYMBOL_H

#include <stdbool.h>

#include "base/strbuf.h"
#include "inject/preload/table.h"
#include "profile/locks/symbol_table.h"

struct symbols;

/* Makes a reader of symbols. module: [n], borrowed. */
struct symbols *symbols_new(const struct locks_module *module, size_t n);
void symbols_free(struct symbols *s);
/* Called before a process is forked that reads symbols: from the second such process on, the
 * libraries are loaded here, once, as loading them takes some 10 ms of CPU time in each process. */
void symbols_begin_fork(void);
/* Sets the process, for names of code that it has generated (symbol_table.h). */
void symbols_set_process(struct symbols *s, const struct perf_map_process *process);

/* Stands before the name of a function that does not contain the place. It is the nearest one that
 * begins before the place, by at most 4 KiB, in a file of which not all functions are known. */
#define SYMBOL_NEAREST '~'

/* Appends the name of the function or variable at a place (inject/preload/table.h), with the offset
 * in it: "main+0x1f"; or of the nearest function: "~main+0x2f". Returns false, and appends nothing,
 * if there is none. */
bool symbols_add(struct symbols *s, struct strbuf *out, uint64_t place);
/* Appends file and line of the source, with a colon in between. Returns false if they are unknown.
 */
bool symbols_add_line(struct symbols *s, struct strbuf *out, uint64_t place);
/* Appends the name of the file without its folder, and the offset: "libc.so.6+0x8a1f0". Returns
 * false if the place is in no file. */
bool symbols_add_file(struct symbols *s, struct strbuf *out, uint64_t place);

/* Opens the file of a module for reading. Returns -1 if it cannot be opened, or is another file
 * than the one that was mapped. */
int symbols_open_file(const struct locks_module *m);

/* ---- futex(2) ----
 *
 * A file is written in Go or Rust, if it has the marks that Go's linker and Rust's compiler leave
 * in each file, unless they were stripped. Rust's locks call futex(2). Go's runtime does so, too,
 * but a lock of Go stops a goroutine, while its thread runs other goroutines.
 *
 * Go: a section .go.buildinfo or .note.go.buildid. Rust: "rustc version" in .comment, which is
 * written by compiler versions whose locks all use futex(2). The contents of the file are not
 * trusted.
 */

enum language { LANGUAGE_OTHER, LANGUAGE_GO, LANGUAGE_RUST };

/* Returns the language of a file; LANGUAGE_OTHER also if it is not an ELF file of this machine's
 * class. */
enum language language_of_file(int fd);

/* If the locks of a module are not in tables, or only as futexes, sets `out` to a sentence that
 * says what is not here. kernel: with the calls that the kernel has recorded. Returns false, with
 * `out` empty, for any other module. */
bool futex_waits_explain(const struct locks_module *m, bool kernel, struct strbuf *out);
/* Returns whether not even the waits for the locks of a module are in the report. */
bool futex_waits_hide(const struct locks_module *m, bool kernel);

#endif
