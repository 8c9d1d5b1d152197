/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * clear - memory becomes 0, without a call of memset(): the runtime of a sanitizer may stand behind
 * it, and knows no thread that ends any more.
 */
#ifndef INJECT_PRELOAD_CLEAR_H
#define INJECT_PRELOAD_CLEAR_H

#include <stddef.h>
#include <stdint.h>

/* Clears a number of bytes that is divisible by 8, at an address that is. */
static inline void clear(void *p, size_t size)
{
	volatile uint64_t *word = p;

	for (size_t i = 0; i < size / sizeof *word; i++)
		word[i] = 0;
}

#endif
