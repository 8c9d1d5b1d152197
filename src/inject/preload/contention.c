/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "inject/preload/contention.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <unwind.h>

#include "inject/preload/locks.h"
#include "inject/preload/process.h"

#define PLACES (2 * LOCKS_WAITS)
/* The number of records whose memory is populated together. */
#define PIECE 64

static _Atomic(uint32_t) place[PLACES]; /* hash table of the numbers of records; 0: free */
static uint32_t n_real = 1;
static atomic_bool full;
static bool with_stacks;

static bool is_same(const struct locks_wait *a, const struct locks_wait *b)
{
	return a->instance == b->instance && a->holder == b->holder && a->n_frames == b->n_frames &&
	       !memcmp(a->frame, b->frame, a->n_frames * sizeof *a->frame);
}

/* Returns the place of an equal record, or a free place. */
static uint32_t find_place(const struct locks_wait *w)
{
	uint64_t hash = w->instance ^ w->holder << 16;
	uint32_t i, number;

	for (uint32_t k = 0; k < w->n_frames; k++)
		hash = (hash ^ w->frame[k]) * 0x9e3779b97f4a7c15;
	i = (uint32_t)(hash >> 32) % PLACES;
	while ((number = atomic_load_explicit(&place[i], memory_order_acquire)) &&
	       !is_same(&locks.wait[number], w))
		i = (i + 1) % PLACES;
	return i;
}

static bool has_room(uint32_t number)
{
	if (number < n_real)
		return true;
	if (number + PIECE > LOCKS_WAITS ||
	    !process_make_real(&locks.wait[number], PIECE * sizeof *locks.wait)) {
		atomic_store(&full, true);
		return false;
	}
	n_real = number + PIECE;
	return true;
}

/* Adds a record, unless another thread has just added an equal one. Returns its number; 0: no room.
 */
static uint32_t add(const struct locks_wait *w)
{
	struct locks_header *h = locks.header;
	uint32_t i = find_place(w), number = atomic_load(&place[i]);

	if (number || !has_room(h->n_waits))
		return number;
	number = h->n_waits;
	locks.wait[number] = *w;
	for (uint32_t k = 0; k < w->n_frames; k++)
		module_note((uintptr_t)locks_place_address(w->frame[k]));
	atomic_thread_fence(memory_order_release);
	h->n_waits++;
	atomic_store_explicit(&place[i], number, memory_order_release);
	return number;
}

/* Returns the caller that acquired the lock, from the slot of its owner; 0: unknown. The owner
 * continues to run, and its slot may be reused, so the slot's lock and thread number are checked
 * again after the caller was read. */
static uint64_t find_holder(const struct locks_instance *instance, uintptr_t lock)
{
	const uint32_t owner = __atomic_load_n(&instance->owner, __ATOMIC_RELAXED),
		       slot = __atomic_load_n(&instance->owner_slot, __ATOMIC_RELAXED);
	const struct locks_thread *s = &locks.slot[slot];
	uint64_t caller = 0;
	uint32_t n;

	if (!slot || slot >= LOCKS_SLOTS || s->number != owner)
		return 0;
	n = __atomic_load_n(&s->n_held, __ATOMIC_ACQUIRE);
	for (uint32_t i = n < LOCKS_HELD ? n : LOCKS_HELD; i && !caller; i--) {
		const struct locks_held *held = &s->held[i - 1];

		if ((__atomic_load_n(&held->lock, __ATOMIC_ACQUIRE) & ~THREAD_SHARED) != lock)
			continue;
		caller = __atomic_load_n(&held->caller, __ATOMIC_ACQUIRE);
		if ((__atomic_load_n(&held->lock, __ATOMIC_RELAXED) & ~THREAD_SHARED) != lock)
			caller = 0;
	}
	return __atomic_load_n(&s->number, __ATOMIC_RELAXED) == owner ? caller : 0;
}

/* Called by the unwinder for each frame: adds the frame. Frames before the caller's are skipped, as
 * they are those of this object. */
static _Unwind_Reason_Code add_frame(struct _Unwind_Context *context, void *wait)
{
	const uint64_t address = _Unwind_GetIP(context);
	struct locks_wait *w = wait;

	if (address && (w->n_frames || address == w->frame[0]))
		w->frame[w->n_frames++] = address;
	return address && w->n_frames < LOCKS_FRAMES ? _URC_NO_REASON : _URC_END_OF_STACK;
}

/* Finds the frames of the waiting thread. The unwinder may acquire locks itself: waits for these
 * locks get no call stack. */
static void find_frames(struct thread *t, struct locks_wait *w, uintptr_t caller)
{
	w->frame[0] = caller;
	if (with_stacks && !t->unwinding) {
		t->unwinding = 1;
		_Unwind_Backtrace(add_frame, w);
		t->unwinding = 0;
	}
	if (!w->n_frames)
		w->n_frames = 1;
	for (uint32_t k = 0; k < w->n_frames; k++)
		w->frame[k] = module_place((uintptr_t)w->frame[k]);
}

void contention_describe(struct thread *t, struct locks_wait *wait,
			 const struct locks_instance *instance, uintptr_t caller)
{
	*wait = (struct locks_wait){.instance = 0};
	if (instance < locks.instance || instance >= locks.instance + LOCKS_INSTANCES)
		return;
	wait->instance = (uint32_t)(instance - locks.instance) + 1;
	find_frames(t, wait, caller);
}

struct locks_wait *contention_get(const struct locks_wait *wait)
{
	uint32_t number;
	struct guard g;

	if (!wait->instance)
		return locks.wait;
	number = atomic_load(&place[find_place(wait)]);
	if (!number && !atomic_load(&full) && process_enter(&g)) {
		number = add(wait);
		guard_leave(&g);
	}
	return &locks.wait[number];
}

struct locks_wait *contention_find(struct thread *t, const struct locks_instance *instance,
				   uintptr_t lock, uintptr_t caller)
{
	struct locks_wait w;

	contention_describe(t, &w, instance, caller);
	t->holder = __atomic_load_n(&instance->owner, __ATOMIC_RELAXED);
	t->holder_slot = __atomic_load_n(&instance->owner_slot, __ATOMIC_RELAXED);
	if (w.instance)
		w.holder = find_holder(instance, lock & ~THREAD_SHARED);
	if (!w.holder || t->holder_slot >= LOCKS_SLOTS)
		t->holder = t->holder_slot = 0;
	if (w.holder)
		w.holder = module_place((uintptr_t)w.holder);
	return contention_get(&w);
}

uint32_t contention_number(const struct locks_wait *wait)
{
	return (uint32_t)(wait - locks.wait);
}

void contention_begin(void)
{
	with_stacks |= secure_getenv(LOCKS_STACKS_VARIABLE) != NULL;
}

void contention_forget(void)
{
	memset(place, 0, sizeof place);
	n_real = 1;
	atomic_store(&full, false);
}
