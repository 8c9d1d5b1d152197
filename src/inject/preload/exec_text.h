/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * exec_text - string functions for use between fork(2) and exec(2). Those of the C library would be
 * counted as calls of the program (calls.h); the barriers keep the compiler from turning the loops
 * into calls of the C library.
 */
#ifndef INJECT_PRELOAD_EXEC_TEXT_H
#define INJECT_PRELOAD_EXEC_TEXT_H

#include <stdbool.h>
#include <stddef.h>

#include "inject/lib/arch.h"

static inline size_t exec_text_length(const char *s)
{
	size_t n = 0;

	for (; s[n]; n++)
		ARCH_BARRIER();
	return n;
}

static inline void exec_text_copy(char *to, const char *from, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		to[i] = from[i];
		ARCH_BARRIER();
	}
}

static inline bool exec_text_equals(const char *a, const char *b, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (a[i] != b[i])
			return false;
	return true;
}

/* Returns the text after the prefix; NULL: the text does not begin with it. */
static inline const char *exec_text_after(const char *s, const char *prefix)
{
	for (; *prefix; s++, prefix++)
		if (*s != *prefix)
			return NULL;
	return s;
}

/* Returns the first of these two characters, or the end of the text. */
static inline const char *exec_text_find(const char *s, char one, char other)
{
	while (*s && *s != one && *s != other)
		s++;
	return s;
}

#endif
