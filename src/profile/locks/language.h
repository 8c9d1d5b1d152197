/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * language - which language a program is in, where that decides how it waits: by the marks that the
 * linker of Go and the compiler of Rust leave in each file, unless they are taken out of it.
 *
 * A section .go.buildinfo or .note.go.buildid is that of Go; "rustc version" in .comment is that of
 * compilers of Rust whose locks all use futex(2). Nothing in the file is trusted.
 */
#ifndef PROFILE_LOCKS_LANGUAGE_H
#define PROFILE_LOCKS_LANGUAGE_H

enum maker { MAKER_OTHER, MAKER_GO, MAKER_RUST };

/* MAKER_OTHER, too, where it is no ELF file of this machine's kind. */
enum maker maker_of_file(int fd);

#endif
