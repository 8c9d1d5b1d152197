/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "base/lookup.h"

#include <stdlib.h>

#include "base/mem.h"

/* ---- hash ---- */

/* Pids are dense: a multiplication by the golden ratio spreads them (Knuth, TAOCP 6.4). The highest
 * bits of the product depend on all bits of the key; its lower bits would put keys that are
 * multiples of a number into few slots. cap is at least 2. */
static size_t slot_of(const struct hash *h, uint64_t key)
{
	return (size_t)((key * 0x9e3779b97f4a7c15ull) >> (64 - __builtin_ctzll(h->cap)));
}

static struct hash_slot *find(const struct hash *h, uint64_t key)
{
	size_t i;

	if (!h->cap)
		return NULL;
	for (i = slot_of(h, key); h->slot[i].value; i = (i + 1) & (h->cap - 1))
		if (h->slot[i].key == key)
			return &h->slot[i];
	return NULL;
}

static void insert(struct hash *h, uint64_t key, void *value)
{
	size_t i = slot_of(h, key);

	while (h->slot[i].value)
		i = (i + 1) & (h->cap - 1);
	h->slot[i] = (struct hash_slot){key, value};
	h->n++;
}

static void grow(struct hash *h)
{
	struct hash old = *h;

	h->cap = old.cap ? old.cap * 2 : 64;
	h->n = 0;
	h->slot = xcalloc(h->cap, sizeof *h->slot);
	for (size_t i = 0; i < old.cap; i++)
		if (old.slot[i].value)
			insert(h, old.slot[i].key, old.slot[i].value);
	free(old.slot);
}

uint64_t hash_text(const char *text, size_t len)
{
	uint64_t key = 0xcbf29ce484222325u; /* FNV-1a */

	for (size_t i = 0; i < len; i++)
		key = (key ^ (unsigned char)text[i]) * 0x100000001b3u;
	return key;
}

void *hash_get(const struct hash *h, uint64_t key)
{
	struct hash_slot *s = find(h, key);

	return s ? s->value : NULL;
}

void hash_put(struct hash *h, uint64_t key, void *value)
{
	struct hash_slot *s = find(h, key);

	if (s) {
		s->value = value;
		return;
	}
	if ((h->n + 1) * 4 > h->cap * 3)
		grow(h);
	insert(h, key, value);
}

void *hash_remove(struct hash *h, uint64_t key)
{
	struct hash_slot *s = find(h, key);
	void *value;
	size_t i;

	if (!s)
		return NULL;
	value = s->value;
	s->value = NULL;
	h->n--;
	/* Later slots of the same run may have been displaced by this one: insert them again. */
	for (i = (size_t)(s - h->slot + 1) & (h->cap - 1); h->slot[i].value;
	     i = (i + 1) & (h->cap - 1)) {
		struct hash_slot moved = h->slot[i];

		h->slot[i].value = NULL;
		h->n--;
		insert(h, moved.key, moved.value);
	}
	return value;
}

void *hash_next(const struct hash *h, size_t *pos)
{
	while (*pos < h->cap) {
		void *value = h->slot[(*pos)++].value;

		if (value)
			return value;
	}
	return NULL;
}

void hash_done(struct hash *h)
{
	free(h->slot);
	h->slot = NULL;
	h->cap = h->n = 0;
}
