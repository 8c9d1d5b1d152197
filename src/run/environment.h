/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * environment - gives the command the environment that the user gave tiptop.
 *
 * Where the file of a program gives capabilities, the C library removes variables before main() by
 * which a user could change what it does: LD_PRELOAD, LD_LIBRARY_PATH, TMPDIR and others, see
 * ld.so(8). tiptop goes without them. The command has no such capabilities, and another one would
 * run without them; so its process puts them back just before execve(2). The kernel still has the
 * original text, in /proc/self/environ.
 */
#ifndef RUN_ENVIRONMENT_H
#define RUN_ENVIRONMENT_H

#include <stddef.h>

/* For the child only, once its user may attach to it: before, /proc/self/environ belongs to root.
 * 0 or -errno. */
int environment_restore(void);

/* Adds the variables of this text, each ending with a NUL, that are not set; of TIPTOP_..., which
 * tiptop itself sets and removes, none. To an LD_PRELOAD that is set, the objects of the text are
 * appended. 0 or -errno. */
int environment_add(const char *text, size_t len);

#endif
