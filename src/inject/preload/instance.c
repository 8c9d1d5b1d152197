/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "inject/preload/instance.h"

#include <stdatomic.h>
#include <sys/mman.h>

#include "inject/preload/locks.h"
#include "inject/preload/mapping.h"
#include "inject/preload/module.h"
#include "inject/preload/process.h"

/* Sizes of the hash tables, powers of two: of addresses, and of the callers of shared records. */
#define PLACES  (16 * LOCKS_INSTANCES)
#define CALLERS (LOCKS_INSTANCES / 2)
/* The number of records whose memory is populated together. */
#define PIECE 512

/* The number of the record of the lock at an address. Addresses are never removed, so they can be
 * looked up without the guard. */
struct place {
	uint64_t address;
	_Atomic(uint32_t) number; /* 0: the place is free */
};

static struct shared {
	struct place place[PLACES];
	uint32_t caller[CALLERS]; /* numbers of shared records; 0: free */
} * shared;
static uint32_t n_addresses, n_real;

bool instance_begin(void)
{
	void *p = mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS,
		       -1, 0);

	shared = p == MAP_FAILED ? NULL : p;
	n_addresses = n_real = 0;
	return shared != NULL;
}

void instance_end(void)
{
	if (shared)
		munmap(shared, sizeof *shared);
	shared = NULL;
	mapping_forget();
}

static uint64_t hash(uint64_t x)
{
	return (x >> 2) * 0x9e3779b97f4a7c15 >> 32;
}

static struct place *find_place(uint64_t address)
{
	uint64_t i = hash(address) % PLACES;

	while (atomic_load_explicit(&shared->place[i].number, memory_order_acquire) &&
	       shared->place[i].address != address)
		i = (i + 1) % PLACES;
	return &shared->place[i];
}

/* Returns the place of the number of the shared record for a kind of lock and a first caller, or a
 * free place. */
static uint32_t *find_shared(enum locks_kind kind, uint64_t caller)
{
	uint64_t i = hash(caller + kind) % CALLERS;

	while (shared->caller[i] && (locks.instance[shared->caller[i] - 1].first_caller != caller ||
				     locks.instance[shared->caller[i] - 1].kind != kind))
		i = (i + 1) % CALLERS;
	return &shared->caller[i];
}

static bool has_room(uint32_t number)
{
	if (number >= LOCKS_INSTANCES)
		return false;
	if (number < n_real)
		return true;
	if (!process_make_real(&locks.instance[number], PIECE * sizeof *locks.instance))
		return false;
	n_real = number + PIECE;
	return true;
}

/* Adds a record; NULL: no room. */
static struct locks_instance *add(const struct locks_instance *from)
{
	struct locks_header *h = locks.header;

	if (!has_room(h->n_instances))
		return NULL;
	locks.instance[h->n_instances] = *from;
	atomic_thread_fence(memory_order_release);
	return &locks.instance[h->n_instances++];
}

static struct locks_instance *add_single(uintptr_t address, enum locks_kind kind, uint64_t caller,
					 uint32_t generation)
{
	struct locks_instance new = {
		.address = address,
		.first_caller = caller,
		.generation = generation,
		.kind = kind,
		.layer = locks_place_layer(module_place(address)),
	};

	mapping_set_memory(&new);
	return add(&new);
}

static struct locks_instance *take_shared(enum locks_kind kind, uint64_t caller)
{
	uint32_t *number = find_shared(kind, caller);
	struct locks_instance *several = *number ? &locks.instance[*number - 1] : NULL;

	if (!several)
		several = add(&(struct locks_instance){
			.first_caller = caller, .kind = kind, .several = 1});
	if (!several)
		return NULL;
	*number = (uint32_t)(several - locks.instance) + 1;
	several->generation++;
	return several;
}

/* Ends a futex if a lock of another kind is at its address now: a futex is not destroyed, so its
 * memory has another use. */
static void end_replaced(struct locks_instance *there, enum locks_kind kind)
{
	if (there->kind == LOCKS_FUTEX && kind != LOCKS_FUTEX && !there->several)
		__atomic_store_n(&there->ended, 1, __ATOMIC_RELEASE);
}

struct locks_instance *instance_get(uintptr_t address, enum locks_kind kind, uint64_t caller)
{
	struct locks_header *h = locks.header;
	struct place *at = find_place(address);
	const uint32_t old = atomic_load(&at->number);
	struct locks_instance *new = NULL, *there = old ? &locks.instance[old - 1] : NULL;

	if (there)
		end_replaced(there, kind);
	if (there && !there->ended)
		return there;
	if (h->n_instances < LOCKS_SINGLE)
		new = add_single(address, kind, caller, there ? there->generation + 1 : 1);
	else if (there || n_addresses < PLACES / 2)
		new = take_shared(kind, caller);
	if (!new) {
		h->full = 1;
		return NULL;
	}
	n_addresses += !there;
	at->address = address;
	atomic_store_explicit(&at->number, (uint32_t)(new - locks.instance) + 1,
			      memory_order_release);
	return new;
}

struct locks_instance *instance_find(uintptr_t address)
{
	const uint32_t number = atomic_load(&find_place(address)->number);

	return number ? &locks.instance[number - 1] : NULL;
}

bool instance_has_room(uintptr_t address)
{
	return !locks.header->full || instance_find(address);
}

void instance_destroy(uintptr_t address)
{
	struct locks_instance *there = instance_find(address);

	if (there && !there->several)
		__atomic_store_n(&there->ended, 1, __ATOMIC_RELEASE);
}
