/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * demangle - names of C++ as they stand in the source.
 *
 * The runtime library of C++ knows how: programs of C++ need it, so it is there where such names
 * are. It is loaded with the first one of them.
 */
#ifndef PROFILE_LOCKS_DEMANGLE_H
#define PROFILE_LOCKS_DEMANGLE_H

#include "base/strbuf.h"

/* Appends a name of the linker as in the source; as it is, where it is none of C++, or there is no
 * such library. */
void demangle_add(struct strbuf *out, const char *name);

#endif
