/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "inject/lib/label.h"

#include <stddef.h>
#include <string.h>
#include <sys/mman.h>
#include <tiptop.h>

#include "inject/lib/regions.h"

#define FIRST_SIZE 512 /* entries */
#define PIECE_SIZE ((size_t)64 << 10)
#define NEAR_SIZE  256

struct entry {
	uint32_t hash;
	struct tt_region region;
	char label[];
};

/* A hash table with open addressing. size: number of places, a power of 2; n: places in use. */
struct array {
	size_t size, n;
	struct entry *entry[];
};

/* A child of fork() continues with its copy of these data. */
static struct {
	struct array *array;
	struct tt_region *near[NEAR_SIZE]; /* cache, indexed by the addresses of labels */
	char *piece; /* the current block of memory; `left` bytes of it are free */
	size_t left;
} labels;

static struct tt_region nowhere = {"", REGIONS_NO_ROOM, 0};

static void *take_memory(size_t size)
{
	void *p = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	return p == MAP_FAILED ? NULL : p;
}

/* Returns the place of the label, or a free place. The search ends, as at least half of the places
 * are free. */
static struct entry **find_entry(struct array *a, uint32_t hash, const char *label)
{
	for (size_t i = hash;; i++) {
		struct entry **at = &a->entry[i & (a->size - 1)],
			     *e = __atomic_load_n(at, __ATOMIC_ACQUIRE);

		if (!e || (e->hash == hash && !strcmp(e->region.label, label)))
			return at;
	}
}

static struct entry *find(uint32_t hash, const char *label)
{
	struct array *a = __atomic_load_n(&labels.array, __ATOMIC_ACQUIRE);

	return a ? *find_entry(a, hash, label) : NULL;
}

/* --- adding a label: under the guard --- */

/* Returns the array, enlarged if it has no room for one more label; NULL: no memory, or no region
 * number is left. */
static struct array *make_room(void)
{
	struct array *old = labels.array, *a = old;
	const size_t size = old ? 2 * old->size : FIRST_SIZE;

	if (old && old->n >= TABLE_REGIONS)
		return NULL;
	if (old && 2 * (old->n + 1) <= old->size)
		return old;
	a = take_memory(sizeof *a + size * sizeof *a->entry);
	if (!a)
		return NULL;
	a->size = size;
	for (size_t i = 0; old && i < old->size; i++)
		if (old->entry[i])
			*find_entry(a, old->entry[i]->hash, old->entry[i]->region.label) =
				old->entry[i];
	a->n = old ? old->n : 0;
	__atomic_store_n(&labels.array, a, __ATOMIC_RELEASE);
	return a;
}

static struct entry *make_entry(uint32_t hash, const char *label)
{
	const size_t len = strlen(label) + 1, align = _Alignof(struct entry);
	const size_t size = (sizeof(struct entry) + len + align - 1) / align * align;
	struct entry *e;

	if (size > labels.left) {
		const size_t piece = size > PIECE_SIZE ? size : PIECE_SIZE;

		labels.piece = take_memory(piece);
		labels.left = labels.piece ? piece : 0;
	}
	if (!labels.left)
		return NULL;
	e = (void *)labels.piece;
	labels.piece += size;
	labels.left -= size;
	e->hash = hash;
	memcpy(e->label, label, len);
	e->region.label = e->label;
	return e;
}

static struct entry *add(uint32_t hash, const char *label)
{
	struct array *a = make_room();
	struct entry **place = a ? find_entry(a, hash, label) : NULL;
	struct entry *e;

	if (!place || *place)
		return place ? *place : NULL;
	e = make_entry(hash, label);
	if (!e)
		return NULL;
	a->n++;
	__atomic_store_n(place, e, __ATOMIC_RELEASE);
	return e;
}

/* --- lookup --- */

static struct tt_region *find_or_add(const char *label)
{
	const uint32_t hash = tt_label_hash(label);
	struct entry *e = find(hash, label);
	struct tt_guard g;

	if (!e) {
		tt_guard_enter(&g);
		e = add(hash, label);
		tt_guard_leave(&g);
	}
	return e ? &e->region : NULL;
}

struct tt_region *tt_region_of(const char *label)
{
	const uintptr_t address = (uintptr_t)label;
	struct tt_region **near = &labels.near[(address ^ address >> 8) % NEAR_SIZE],
			 *region = __atomic_load_n(near, __ATOMIC_ACQUIRE);

	if (!label)
		return &nowhere;
	if (region && !strcmp(region->label, label))
		return region;
	region = find_or_add(label);
	if (!region)
		return &nowhere;
	__atomic_store_n(near, region, __ATOMIC_RELEASE);
	return region;
}
