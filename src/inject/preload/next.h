/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * next - finds the function that a wrapper stands before, behind this object.
 *
 * Where a version is given, that one. Else what the program would have found by a reference without
 * a version: the default version, or the oldest one of the C library if that is all it has. Weak
 * references have none, as those of tcmalloc to pthread_atfork(), and they find that.
 */
#ifndef INJECT_PRELOAD_NEXT_H
#define INJECT_PRELOAD_NEXT_H

#include <dlfcn.h>
#include <stddef.h>

#include "inject/lib/arch.h"

/* version: NULL where it does not matter. NULL: there is no such function. */
static inline void *next_find(const char *name, const char *version)
{
	void *found = version ? dlvsym(RTLD_NEXT, name, version) : NULL;

	found = found ? found : dlsym(RTLD_NEXT, name);
	return found ? found : dlvsym(RTLD_NEXT, name, ARCH_FIRST_GLIBC);
}

#endif
