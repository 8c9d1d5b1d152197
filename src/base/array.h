/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * array - sorting and searching arrays that may be empty.
 *
 * qsort(3) and bsearch(3) must not be called with NULL, not even for 0 elements (C11 7.22.5). Here
 * an empty array may be NULL (mem.h), and these functions accept that. No function keeps a pointer
 * to the array.
 */
#ifndef BASE_ARRAY_H
#define BASE_ARRAY_H

#include <stddef.h>
#include <stdlib.h>

/* Sorts n elements of `size` bytes. */
static inline void array_sort(void *array, size_t n, size_t size,
			      int (*compare)(const void *, const void *))
{
	if (n)
		qsort(array, n, size, compare);
}

/* Sorts n elements of `size` bytes; passes `with` to compare() as the third argument. */
static inline void array_sort_with(void *array, size_t n, size_t size,
				   int (*compare)(const void *, const void *, void *), void *with)
{
	if (n)
		qsort_r(array, n, size, compare, with);
}

/* Returns the element of a sorted array that equals the key; NULL: there is no such element. */
static inline void *array_find(const void *key, const void *array, size_t n, size_t size,
			       int (*compare)(const void *, const void *))
{
	return n ? bsearch(key, array, n, size, compare) : NULL;
}

#endif
