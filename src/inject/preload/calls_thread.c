/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* part of calls: the table of this process, and start and exit of its threads. */
#include "inject/preload/calls.h"

#include <errno.h>
#include <limits.h>
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "inject/preload/calls_real.h"
#include "inject/preload/process.h"

/* The states of threads without a slot. no_thread: the thread has not been entered yet; no_slot: no
 * slot was free for the thread; exited: the thread's exit was recorded. */
static struct calls_state no_thread, no_slot, exited;
__thread struct calls_state *calls_state __attribute__((tls_model("initial-exec"))) = &no_thread;

/* Accessed under the guard. */
static struct calls_header *header;                /* NULL: not measured */
static struct calls_state *taken[CALLS_SLOTS_MAX]; /* by slot; NULL: free */
static pthread_key_t key;                          /* its destructor runs when a thread exits */
static bool has_key;

static struct calls_thread *slot_of(uint32_t place)
{
	return (void *)((char *)header + calls_slot_offset(calls_n, place));
}

/* Returns the counts of a slot; NULL: no events. */
static uint64_t *counts_of(uint32_t place)
{
	return header->n_events ? (void *)((char *)header + calls_counts_offset(header, place))
				: NULL;
}

static size_t counts_size(void)
{
	return calls_counts_size(calls_n, header->n_events);
}

/* --- the table --- */

/* The cost of measuring, as in the header; 0: unknown. */
static uint64_t overhead, inside, event_overhead[EVENT_NOTES_MAX];

void calls_note_cost(void)
{
	overhead = header->overhead;
	inside = header->inside;
	for (int i = 0; i < EVENT_NOTES_MAX; i++)
		event_overhead[i] = header->event[i].overhead;
}

static void describe_cost(struct calls_header *h)
{
	h->overhead = overhead;
	h->inside = inside;
	for (int i = 0; i < EVENT_NOTES_MAX; i++)
		h->event[i].overhead = event_overhead[i];
}

static bool make_table(void *file)
{
	struct calls_header *h = file;
	struct calls_function *function = (void *)((char *)file + calls_functions_offset());
	struct container_place place[CALLS_SECTIONS - 1];

	events_begin(false);
	if (!process_make_real(file, calls_slot_offset(calls_n, 1)))
		return false;
	h->n_events = (uint32_t)events_n();
	events_name(h->event);
	h->n_functions = calls_n;
	h->n_slots = calls_max_slots(calls_n, h->n_events);
	calls_places(place, h);
	tt_container_fill(&h->container, &calls_plan, place);
	h->ns_per_tick = process_ns_per_tick();
	describe_cost(h);
	h->begin = process_ticks();
	memcpy(function, calls_functions, calls_n_listed * sizeof *function);
	if (calls_n_extra())
		memcpy(function + calls_n_listed, tiptop_calls_more.function,
		       calls_n_extra() * sizeof *function);
	tt_container_publish(&h->container);
	header = h;
	if (h->n_events && !process_make_real(counts_of(0), counts_size()))
		header = NULL;
	return header;
}

/* In a child: forgets the table of the parent. The memory of the parent's thread states stays
 * mapped, and is not used any more. */
static void forget(void)
{
	header = NULL;
	calls_state = &no_thread;
	memset(taken, 0, sizeof taken);
	events_forget();
}

static void stop(const struct process_stop *why)
{
	for (uint32_t place = 1; place < header->n_slots; place++)
		if (taken[place])
			taken[place]->measured = taken[place]->ready = 0;
	header->lacking_call = why->lacking;
	header->ns_per_tick = why->ns_per_tick;
	header->end = why->end;
}

static uint32_t thread_id(void)
{
	return calls_state->here ? calls_state->slot->tid : 0;
}

const struct process_hooks process_hooks = {
	.variable = "TIPTOP_CALLS",
	.size = CALLS_SIZE_MAX,
	.make = make_table,
	.forget = forget,
	.stop = stop,
	.thread_id = thread_id,
};

struct calls_header *calls_header(void)
{
	return process_has_stopped() ? NULL : header;
}

/* --- the exit of a thread --- */

static void leave_counts(struct calls_state *own)
{
	calls_counts_add(counts_of(0), own->counts, calls_n + 1, header->n_events,
			 own->slot->lacking);
	clear(own->counts, counts_size());
	events_close(&own->own_events, own->place);
}

static void leave(struct calls_state *own)
{
	const uint32_t place = own->place;
	struct moment now;
	struct guard g;

	events_read_after(own->events, &now);
	own->ready = 0;
	if (!process_enter(&g))
		return;
	calls_add_time(own, &now);
	header->container.sequence++;
	atomic_thread_fence(memory_order_release);
	if (header->n_events)
		leave_counts(own);
	calls_thread_add(slot_of(0), own->slot, calls_n);
	clear(own->slot, calls_slot_size(calls_n));
	taken[place] = NULL;
	header->n_ended++;
	atomic_thread_fence(memory_order_release);
	header->container.sequence++;
	munmap(own, sizeof *own);
	calls_state = &exited;
	guard_leave(&g);
}

/* Destructors of other keys may still call measured functions, so the exit is recorded in the last
 * round of destructors. */
static void on_end(void *thread)
{
	struct calls_state *own = thread;

	if (process_has_stopped() || process_forget_parent() || !header || own != calls_state)
		return;
	if (++own->rounds < PTHREAD_DESTRUCTOR_ITERATIONS)
		pthread_setspecific(key, own);
	else
		leave(own);
}

/* --- the start of a thread --- */

/* Returns the number of a free slot, after populating its memory (process_make_real()); 0: no slot
 * is free, or there is no memory. */
static uint32_t take_place(void)
{
	uint32_t place = 1;

	while (place < header->n_slots && taken[place])
		place++;
	if (place == header->n_slots ||
	    !process_make_real(slot_of(place), calls_slot_size(calls_n)) ||
	    (header->n_events && !process_make_real(counts_of(place), counts_size())))
		return 0;
	return place;
}

/* Opens the events. If none can be read, own->events is NULL, so that no time is spent on them. */
static void open_events(struct calls_state *own, uint32_t place)
{
	uint32_t lacking;

	events_open(&own->own_events, place);
	events_read(&own->own_events, &own->last);
	lacking = events_note(&own->own_events, header->event);
	for (int i = 0; i < events_n(); i++)
		own->slot->lacking[i] = lacking >> i & 1;
	own->events = lacking + 1 == 1u << events_n() ? NULL : &own->own_events;
	own->counts = counts_of(place);
}

static struct calls_state *make(uint32_t place)
{
	struct calls_state *own =
		mmap(NULL, sizeof *own, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	struct calls_thread *slot = slot_of(place);

	if (own == MAP_FAILED)
		return NULL;
	/* process_begin() has checked that the kernel supports MADV_WIPEONFORK. */
	madvise(own, sizeof *own, MADV_WIPEONFORK);
	taken[place] = own;
	slot->number = ++header->n_threads;
	own->slot = slot;
	if (events_n())
		open_events(own, place);
	slot->begin = slot->since = process_ticks();
	atomic_thread_fence(memory_order_release);
	slot->tid = (uint32_t)syscall(SYS_gettid);
	own->place = place;
	own->high = UINTPTR_MAX;
	own->here = own->measured = 1;
	return own;
}

static struct calls_state *enter_thread(void)
{
	struct calls_state *own = NULL;
	uint32_t place;
	struct guard g;

	if (!process_enter(&g))
		return NULL;
	if (!has_key)
		has_key = !pthread_key_create(&key, on_end);
	place = take_place();
	if (place)
		own = make(place);
	if (!own)
		header->n_homeless++;
	calls_state = own ? own : &no_slot;
	guard_leave(&g);
	return own;
}

/* Finds the real functions; preserves errno for the caller. function: as for calls_begin_thread().
 */
static bool find_real(uint32_t function)
{
	const int error = errno;
	const bool found = calls_real_find();

	if (!found && function && function <= calls_n_listed)
		calls_real_find_early(function);
	errno = error;
	return found;
}

/* Counts a call in a signal handler that interrupted a change of the slot. */
static void count(struct calls_state *own, uint32_t function)
{
	struct calls_row *row = calls_row(own, function);

	__atomic_fetch_add(&row->amid, 1, __ATOMIC_RELAXED);
}

struct calls_state *calls_begin_thread(uint32_t function)
{
	struct calls_state *own = calls_state;

	if (!find_real(function) || guard_is_own() || process_has_stopped())
		return NULL;
	if (own->here) {
		if (function)
			count(own, function);
		return NULL;
	}
	process_forget_parent();
	if (!process_begin() || calls_state == &no_slot)
		return NULL;
	if (calls_state == &exited) {
		__atomic_fetch_add(&header->n_late, 1, __ATOMIC_RELAXED);
		return NULL;
	}
	own = enter_thread();
	if (!own)
		return NULL;
	/* `ready` is set after pthread_setspecific(), which may allocate memory: otherwise this
	 * would be counted as a call of the thread. */
	if (has_key)
		pthread_setspecific(key, own);
	own->ready = 1;
	return own;
}
