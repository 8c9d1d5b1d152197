/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * code_name - the names of signals and of error codes, as programs write them: "TERM", "EACCES".
 *
 * C libraries have functions for them since glibc 2.32 only, and tiptop runs with older ones. The
 * tables have all names that Linux gives on any machine; the numbers are those of this one.
 */
#ifndef BASE_CODE_NAME_H
#define BASE_CODE_NAME_H

/* Returns the name without "SIG"; NULL: a real-time signal, or not a signal. */
const char *code_name_signal(int signal);
/* Returns the name of errno; "an unknown error" if the code has no name. */
const char *code_name_error(int error);

#endif
