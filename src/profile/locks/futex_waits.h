/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * futex_waits - what a process has that waits by futex(2) itself, so that its locks are not in the
 * table: as far as the files that it has mapped tell it.
 */
#ifndef PROFILE_LOCKS_FUTEX_WAITS_H
#define PROFILE_LOCKS_FUTEX_WAITS_H

#include "base/strbuf.h"
#include "inject/preload/table.h"

/* ---- language ----
 *
 * Which language a program is in, where that decides how it waits: by the marks that the
 * linker of Go and the compiler of Rust leave in each file, unless they are taken out of it.
 *
 * A section .go.buildinfo or .note.go.buildid is that of Go; "rustc version" in .comment is that of
 * compilers of Rust whose locks all use futex(2). Nothing in the file is trusted.
 */

enum maker { LANGUAGE_OTHER, LANGUAGE_GO, LANGUAGE_RUST };

/* LANGUAGE_OTHER, too, where it is no ELF file of this machine's kind. */
enum maker language_of_file(int fd);

/* ---- futex waits ---- */

/* A sentence about a module in place of what is in `out`, which names the file. False: there is
 * nothing to say of it. */
bool futex_waits_explain(const struct locks_module *m, struct strbuf *out);

#endif
