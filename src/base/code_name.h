/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * code_name - the names of signals and of error codes, as programs write them: "TERM", "EACCES".
 *
 * glibc has functions for this only since 2.32, and tiptop also runs with older releases. The
 * tables have the names of Linux's generic headers (asm-generic); the compiler supplies the numbers
 * of the target architecture.
 */
#ifndef BASE_CODE_NAME_H
#define BASE_CODE_NAME_H

/* Returns the name without "SIG"; NULL: a real-time signal, or not a signal. */
const char *code_name_signal(int signal);
/* Returns the name of a value of errno; "an unknown error" if the value has no name. */
const char *code_name_error(int error);

#endif
