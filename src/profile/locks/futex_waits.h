/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * futex_waits - finds mapped files of a process whose code calls futex(2), so that its locks are
 * not in the table, or only when threads wait for them.
 */
#ifndef PROFILE_LOCKS_FUTEX_WAITS_H
#define PROFILE_LOCKS_FUTEX_WAITS_H

#include "base/strbuf.h"
#include "inject/preload/table.h"

/* ---- language ----
 *
 * Finds out whether a file is written in Go or Rust, whose locks call futex(2): by the
 * marks that Go's linker and Rust's compiler leave in each file, unless they were stripped.
 *
 * Go: a section .go.buildinfo or .note.go.buildid. Rust: "rustc version" in .comment, which is
 * written by compiler versions whose locks all use futex(2). The contents of the file are not
 * trusted.
 */

enum language { LANGUAGE_OTHER, LANGUAGE_GO, LANGUAGE_RUST };

/* Returns the language of a file; LANGUAGE_OTHER also if it is not an ELF file of this machine's
 * class. */
enum language language_of_file(int fd);

/* ---- futex waits ---- */

/* If the locks of a module use futex(2), sets `out` to a sentence that says what is not here.
 * kernel: with the calls that the kernel has recorded. Returns false, with `out` empty, for any
 * other module. */
bool futex_waits_explain(const struct locks_module *m, bool kernel, struct strbuf *out);

#endif
