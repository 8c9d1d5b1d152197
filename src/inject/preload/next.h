/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * next - finds the function that a wrapper replaces, in the objects after this one.
 *
 * If a version is given and exists, the function has this version. Otherwise it has the version to
 * which a reference without a version is bound: the default version or, if the symbol has no
 * default version, the oldest one of the C library. References without a version exist: for
 * example, the weak reference of tcmalloc to pthread_atfork().
 */
#ifndef INJECT_PRELOAD_NEXT_H
#define INJECT_PRELOAD_NEXT_H

#include <dlfcn.h>
#include <stddef.h>

#include "inject/lib/arch.h"

/* Returns NULL if there is no such function. version NULL: any version. */
static inline void *next_find(const char *name, const char *version)
{
	void *found = version ? dlvsym(RTLD_NEXT, name, version) : NULL;

	found = found ? found : dlsym(RTLD_NEXT, name);
	return found ? found : dlvsym(RTLD_NEXT, name, ARCH_FIRST_GLIBC);
}

#endif
