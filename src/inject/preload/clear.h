/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * clear - sets memory to 0 without calling memset(): a sanitizer's runtime may intercept memset(),
 * and fails in a thread whose exit it has already handled.
 */
#ifndef INJECT_PRELOAD_CLEAR_H
#define INJECT_PRELOAD_CLEAR_H

#include <stddef.h>
#include <stdint.h>

/* Clears `size` bytes; address and size are multiples of 8. */
static inline void clear(void *p, size_t size)
{
	volatile uint64_t *word = p;

	for (size_t i = 0; i < size / sizeof *word; i++)
		word[i] = 0;
}

#endif
