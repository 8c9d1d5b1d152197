/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * hash - a map from 64-bit keys to pointers (open addressing, linear probing).
 *
 * It owns neither keys nor values. NULL cannot be stored: it means "not there". Do not add or
 * remove while walking with hash_next.
 */
#ifndef BASE_HASH_H
#define BASE_HASH_H

#include <stddef.h>
#include <stdint.h>

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

/* A key of a text. Two texts may have the same one: who asks compares. */
uint64_t hash_text(const char *text, size_t len);

void *hash_get(const struct hash *h, uint64_t key);
/* Stores the value under this key, in place of the one that was there. */
void hash_put(struct hash *h, uint64_t key, void *value);
/* Returns the value that was removed, or NULL. */
void *hash_remove(struct hash *h, uint64_t key);
/* Walks all values, in no order: *pos is 0 at the start, and NULL comes at the end. */
void *hash_next(const struct hash *h, size_t *pos);
void hash_done(struct hash *h);

#endif
