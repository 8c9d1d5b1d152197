/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * lookup - finds elements: in sorted arrays, and by a key in a map.
 *
 * An empty array may be NULL (mem.h): qsort(3) and bsearch(3) must not be called with NULL, not
 * even for 0 elements (C11 7.22.5), but the functions here accept it. No function keeps a pointer
 * to the array.
 */
#ifndef BASE_LOOKUP_H
#define BASE_LOOKUP_H

#include <stddef.h>
#include <stdint.h>
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

/* ---- hash ----
 *
 * A map from 64-bit keys to pointers (open addressing, linear probing); *h is initialized by
 * HASH_INIT.
 *
 * It owns neither keys nor values. NULL cannot be stored, as it stands for an absent key. Do not
 * add or remove while walking with hash_next.
 */

struct hash_slot {
	uint64_t key;
	void *value;
};

struct hash {
	struct hash_slot *slot;
	size_t cap, n; /* cap is 0 or a power of two; n slots are used */
};

#define HASH_INIT                                                                                  \
	{                                                                                          \
		NULL, 0, 0                                                                         \
	}

/* Returns a key for a text. Two texts may have the same key: the caller compares the texts. */
uint64_t hash_text(const char *text, size_t len);

void *hash_get(const struct hash *h, uint64_t key);
/* Stores the value under this key; replaces a value that the key had. */
void hash_put(struct hash *h, uint64_t key, void *value);
/* Returns the value that was removed, or NULL. */
void *hash_remove(struct hash *h, uint64_t key);
/* Returns the next value, in no particular order; *pos is 0 at the start; NULL: the end. */
void *hash_next(const struct hash *h, size_t *pos);
void hash_done(struct hash *h);

#endif
