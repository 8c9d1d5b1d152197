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

/* ---- chain ---- */

#define CHAIN_PLACES (2 * LOCKS_CHAINS)
#define PARTS        (2 * CHAIN_NOTES + 1)

bool chain_wanted;

/* --- records --- */

static _Atomic(uint32_t)
	chain_place[CHAIN_PLACES]; /* hash table of the numbers of records; 0: free */
static uint32_t n_real_chains;     /* number of records whose memory is populated */

/* Returns the place of the record, or a free place. */
static uint32_t find_chain(uint32_t wait, uint32_t next)
{
	const uint64_t hash = ((uint64_t)next << 32 | wait) * 0x9e3779b97f4a7c15;
	uint32_t i = (uint32_t)(hash >> 32) % CHAIN_PLACES, number;

	while ((number = atomic_load_explicit(&chain_place[i], memory_order_acquire)) &&
	       (locks.chain[number].wait != wait || locks.chain[number].next != next))
		i = (i + 1) % CHAIN_PLACES;
	return i;
}

/* Adds a record, unless another thread has just done so. Returns its number; 0: no room. */
static uint32_t add_chain(uint32_t wait, uint32_t next)
{
	struct locks_header *h = locks.header;
	const uint32_t i = find_chain(wait, next), number = h->n_chains ? h->n_chains : 1;
	const uint32_t depth = next ? locks.chain[next].depth + 1 : 1;

	if (chain_place[i])
		return chain_place[i];
	if (locks_chains_are_full(number) || depth > LOCKS_CHAIN_DEPTH)
		return 0;
	if (number >= n_real_chains) {
		if (!process_make_real(&locks.chain[n_real_chains],
				       LOCKS_CHAIN_PIECE * sizeof *locks.chain))
			return 0;
		n_real_chains += LOCKS_CHAIN_PIECE;
	}
	locks.chain[number] = (struct locks_chain){.wait = wait, .next = next, .depth = depth};
	atomic_thread_fence(memory_order_release);
	h->n_chains = number + 1;
	atomic_store_explicit(&chain_place[i], number, memory_order_release);
	return number;
}

/* Returns the number of the record for a wait during which the holder was in the chain `next`. Adds
 * the record if there is none. 0: no room. */
static uint32_t get_chain(uint32_t wait, uint32_t next)
{
	uint32_t number = atomic_load(&chain_place[find_chain(wait, next)]);
	struct guard g;

	if (!number && process_enter(&g)) {
		number = add_chain(wait, next);
		guard_leave(&g);
	}
	return number;
}

/* --- notes --- */

struct note {
	uint32_t sequence; /* odd: it is being written */
	uint32_t number;   /* of the thread */
	uint32_t chain, n_held;
	uint64_t begin, end;
	uint64_t held[CHAIN_HELD]; /* the addresses of the locks that the thread held meanwhile */
};

static struct notes {
	uint32_t n; /* notes written so far; the latest CHAIN_NOTES are kept */
	struct note note[CHAIN_NOTES];
} notes[LOCKS_SLOTS];

/* Returns whether the thread leaves notes, as it holds a lock other than `lock`. A signal handler
 * that may have interrupted the writing of a note has a slot of its own, and leaves none. */
static bool leaves_notes(const struct thread *t, uintptr_t lock)
{
	const struct locks_thread *s = t->slot;

	if (s != &locks.slot[t->place])
		return false;
	for (uint32_t i = 0; i < s->n_held; i++)
		if ((s->held[i].lock & ~THREAD_SHARED) != lock)
			return true;
	return false;
}

static void write_note(const struct thread *t, uintptr_t lock, uint32_t chain, uint64_t begin,
		       uint64_t end)
{
	const struct locks_thread *s = t->slot;
	struct notes *own = &notes[t->place];
	struct note *note = &own->note[own->n++ % CHAIN_NOTES];

	__atomic_store_n(&note->sequence, note->sequence + 1, __ATOMIC_RELAXED);
	atomic_thread_fence(memory_order_release);
	note->number = s->number;
	note->chain = chain;
	note->begin = begin;
	note->end = end;
	note->n_held = 0;
	for (uint32_t i = s->n_held; i && note->n_held < CHAIN_HELD; i--) {
		const uintptr_t held = s->held[i - 1].lock & ~THREAD_SHARED;

		if (held != lock)
			note->held[note->n_held++] = held;
	}
	__atomic_store_n(&note->sequence, note->sequence + 1, __ATOMIC_RELEASE);
}

/* Copies the i-th note of a slot. Returns false if its thread was writing it meanwhile. */
static bool read_note(struct note *to, const struct notes *of, uint32_t i)
{
	const struct note *from = &of->note[i % CHAIN_NOTES];
	const uint32_t sequence = __atomic_load_n(&from->sequence, __ATOMIC_ACQUIRE);

	*to = *from;
	atomic_thread_fence(memory_order_acquire);
	return !(sequence & 1) && __atomic_load_n(&from->sequence, __ATOMIC_RELAXED) == sequence;
}

static bool has_held(const struct note *note, uintptr_t lock)
{
	for (uint32_t i = 0; i < note->n_held; i++)
		if (note->held[i] == lock)
			return true;
	return false;
}

/* --- waits --- */

/* A part of a wait during which the holder was in the chain `next`; 0: in none. chain: the record
 * to which the part is added; 0: none. */
struct part {
	uint64_t begin, end;
	uint32_t next, chain;
};

/* Divides a wait for a lock into its parts, by the notes of the holder. Returns their number. */
static int divide(struct part part[PARTS], const struct thread *t, uintptr_t lock, uint64_t begin,
		  uint64_t end)
{
	const struct notes *of = &notes[t->holder_slot];
	const uint32_t written = __atomic_load_n(&of->n, __ATOMIC_ACQUIRE);
	uint32_t i = written > CHAIN_NOTES ? written - CHAIN_NOTES : 0;
	uint64_t at = begin;
	struct note note;
	int n = 0;

	for (; t->holder && i < written; i++) {
		uint64_t from, to;

		if (!read_note(&note, of, i) || note.number != t->holder || !has_held(&note, lock))
			continue;
		from = note.begin > at ? note.begin : at;
		to = note.end < end ? note.end : end;
		if (from >= to)
			continue;
		if (from > at)
			part[n++] = (struct part){.begin = at, .end = from};
		part[n++] = (struct part){.begin = from, .end = to, .next = note.chain};
		at = to;
	}
	if (at < end)
		part[n++] = (struct part){.begin = at, .end = end};
	return n;
}

/* Adds the i-th part to its chain. If several parts are in one chain, it counts the wait once. */
static void add_part(const struct part *part, int i)
{
	struct locks_chain *chain = &locks.chain[part[i].chain];
	bool is_first = true;

	for (int k = 0; k < i; k++)
		is_first &= part[k].chain != part[i].chain;
	__atomic_fetch_add(&chain->n, is_first, __ATOMIC_RELAXED);
	__atomic_fetch_add(&chain->ticks, part[i].end - part[i].begin, __ATOMIC_RELAXED);
}

void chain_end_wait(struct thread *t, const struct locks_wait *wait, uintptr_t lock, uint64_t begin,
		    uint64_t end, bool got)
{
	const uintptr_t address = lock & ~THREAD_SHARED;
	const uint32_t number = contention_number(wait);
	const bool notes_it = leaves_notes(t, address);
	struct part part[PARTS];
	int n = 0;

	if (number && end > begin)
		n = divide(part, t, address, begin, end);
	for (int i = 0; i < n; i++) {
		part[i].chain = get_chain(number, part[i].next);
		/* Too long, or no room: the time counts for the wait alone. */
		if (!part[i].chain)
			part[i].chain = get_chain(number, 0);
		if (got && part[i].chain)
			add_part(part, i);
		if (notes_it)
			write_note(t, address, part[i].chain, part[i].begin, part[i].end);
	}
}

void chain_end_idle(struct thread *t, const struct locks_instance *instance, uintptr_t caller,
		    uint64_t begin, uint64_t end)
{
	struct locks_wait wait;
	uint32_t number;

	if (!leaves_notes(t, 0))
		return;
	contention_describe(t, &wait, instance, caller);
	number = contention_number(contention_get(&wait));
	if (number && end > begin)
		write_note(t, 0, get_chain(number, 0), begin, end);
}

/* --- all --- */

void chain_begin(void)
{
	chain_wanted |= secure_getenv(LOCKS_CHAINS_VARIABLE) != NULL;
}

void chain_forget(void)
{
	memset(chain_place, 0, sizeof chain_place);
	n_real_chains = 0;
}
