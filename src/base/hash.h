/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * hash - a map from 64-bit keys to pointers (open addressing, linear probing).
 *
 * It owns neither keys nor values. NULL cannot be stored, as it stands for an absent key. Do not
 * add or remove while walking with hash_next.
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
