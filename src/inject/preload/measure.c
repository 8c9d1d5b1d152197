/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "inject/preload/measure.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "inject/preload/locks.h"
#include "inject/preload/process.h"
#include "inject/preload/real.h"
#include "inject/preload/wakes.h"

/* ---- past ----
 *
 * Records a thread that exits. Its rows are then merged with those of all exited threads, so the
 * share of the thread could not be found later.
 *
 * The table has room for the first LOCKS_EXITED_MAX exited threads. The sums of further exited
 * threads are the sums of all exited threads less those of the recorded threads.
 */

/* Adds a row. A lock has a row for each caller, but is counted once. A shared record for several
 * locks is counted once, too: it is unknown how many of these the thread acquired. */
static void add_row(struct locks_past *p, const struct locks_row *row)
{
	struct locks_instance *instance = &locks.instance[row->instance - 1];

	if (!locks_is_held((enum locks_kind)instance->kind))
		return;
	p->acquisitions += locks_n(row, LOCKS_ACQUIRE);
	if (instance->met_by == p->number)
		return;
	instance->met_by = p->number;
	p->instances++;
	p->at_least |= instance->several;
}

/* Adds the row `other`, whose acquisitions may be of any lock. */
static void add_other(struct locks_past *p, const struct locks_row *other)
{
	p->acquisitions += locks_n(other, LOCKS_ACQUIRE);
	p->at_least |= locks_n(other, LOCKS_ACQUIRE) != 0;
}

static void add_rows(struct locks_past *p, const struct thread *t)
{
	for (uint32_t number = t->rows; number; number = locks.row[number - 1].next)
		add_row(p, &locks.row[number - 1]);
	add_other(p, &t->slot->other);
}

/* Writes the record of a thread that exits, before its rows are merged. Called under the guard,
 * while the sequence of the header is odd. */
static void note_exit(const struct thread *t)
{
	struct locks_header *h = locks.header;
	struct locks_past *p = &locks.past[h->n_pasts];

	if (h->n_pasts == LOCKS_EXITED_MAX || !process_make_real(p, sizeof *p))
		return;
	*p = (struct locks_past){
		.tid = t->slot->tid,
		.number = t->slot->number,
		.begin = t->slot->begin,
		.end = t->slot->since,
	};
	memcpy(p->ticks, t->slot->ticks, sizeof p->ticks);
	p->sched = t->slot->sched;
	/* The name is read late, as most threads set it after their start. */
	prctl(PR_GET_NAME, p->name);
	for (; t; t = t->inner)
		add_rows(p, t);
	h->n_pasts++;
}

/* ---- thread ---- */

#define FIRST_PLACES 256
/* The most signal handlers that may interrupt each other's writing. */
#define DEPTH 4

/* The states of threads without a slot. no_thread: the thread has not been entered yet; no_slot: no
 * slot was free for the thread; left: its exit was recorded. */
static struct thread no_thread, no_slot, left;
__thread struct thread *thread_self __attribute__((tls_model("initial-exec"))) = &no_thread;

/* Changed under the guard. */
static struct thread *taken[LOCKS_SLOTS]; /* by slot; NULL: free */
static struct thread_index ended;         /* the rows of slot 0, by instance and caller */
static pthread_key_t key;                 /* its destructor runs when a thread exits */
static bool has_key;

static void *map(size_t size)
{
	void *p = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	return p == MAP_FAILED ? NULL : p;
}

/* --- an index --- */

static struct thread_entry *find_free(const struct thread_index *index, uintptr_t lock,
				      uintptr_t caller)
{
	uint32_t i = thread_place(index, lock, caller);

	while (index->entry[i].lock)
		i = (i + 1) & (index->places - 1);
	return &index->entry[i];
}

/* Returns whether the lock or the caller of an entry has ended. An entry that is being added, or
 * for which there was no room, has no row. */
static bool has_ended(const struct thread_entry *e)
{
	return e->instance->ended || (e->row && e->row->ended);
}

/* Doubles the index. Entries whose lock or caller has ended are dropped, except in `ended`. */
static bool grow(struct thread_index *index)
{
	struct thread_index new = {.places = index->places ? 2 * index->places : FIRST_PLACES};

	new.entry = map(new.places * sizeof *new.entry);
	if (!new.entry)
		return false;
	for (uint32_t i = 0; i < index->places; i++) {
		const struct thread_entry *e = &index->entry[i];

		if (!e->lock || (index != &ended && has_ended(e)))
			continue;
		*find_free(&new, e->lock, e->caller) = *e;
		new.n++;
	}
	if (index->entry)
		munmap(index->entry, index->places * sizeof *index->entry);
	*index = new;
	return true;
}

static struct thread_entry *add_entry(struct thread_index *index, uintptr_t lock, uintptr_t caller)
{
	struct thread_entry *e;

	if (2 * (index->n + 1) > index->places && !grow(index))
		return NULL;
	e = find_free(index, lock, caller);
	e->lock = lock;
	e->caller = caller;
	index->n++;
	return e;
}

/* --- the first use of a lock by a thread --- */

/* Returns a new row of this thread; NULL: no room. */
static struct locks_row *new_row(struct thread *t, const struct locks_instance *instance,
				 uint64_t caller)
{
	struct locks_row *row = rows_new(t->place, instance, caller);

	if (!row)
		return NULL;
	row->next = t->rows;
	t->rows = rows_number(row);
	return row;
}

/* Returns the row that a thread has for all locks of one shared record. The entry of this row in
 * the index has the address of the record instead of that of a lock. */
static struct locks_row *shared_row(struct thread *t, struct locks_instance *instance,
				    uintptr_t caller)
{
	const uintptr_t lock = (uintptr_t)instance;
	struct thread_entry *e = thread_find(&t->index, lock, caller);

	if (!e && !(e = add_entry(&t->index, lock, caller)))
		return NULL;
	e->instance = instance;
	if (!e->row || e->row->ended)
		e->row = new_row(t, instance, module_note(caller));
	return e->row;
}

static struct thread_entry *add_lock(struct thread *t, uintptr_t lock, enum locks_kind kind,
				     uintptr_t caller)
{
	const uint64_t place = module_note(caller);
	struct locks_instance *instance = instance_get(lock & ~THREAD_SHARED, kind, place);
	struct thread_entry *e = thread_find(&t->index, lock, caller);
	struct locks_row *row;

	if (!instance || (!e && !(e = add_entry(&t->index, lock, caller))))
		return &t->other;
	e->instance = instance;
	e->row = NULL; /* grow() would drop the entry if its old row has ended */
	row = instance->several ? shared_row(t, instance, caller) : new_row(t, instance, place);
	e = thread_find(&t->index, lock, caller);
	e->row = row ? row : t->other.row;
	e->counts = row ? rows_counts(row) : t->other.counts;
	if (row)
		row->shared = (lock & THREAD_SHARED) != 0;
	return e;
}

struct thread_entry *thread_add_lock(struct thread *t, uintptr_t lock, enum locks_kind kind,
				     uintptr_t caller)
{
	struct thread_entry *e;
	struct guard g;

	if (rows_are_full() || !instance_has_room(lock & ~THREAD_SHARED))
		return &t->other;
	/* The name is read again, as some threads set it late, and a process that is killed does
	 * not write it at its end. */
	if (!process_enter(&g))
		return &t->other;
	prctl(PR_GET_NAME, t->slot->name);
	e = add_lock(t, lock, kind, caller);
	guard_leave(&g);
	return e;
}

/* --- the exit of a thread --- */

/* Adds a row to the row of slot 0 for the same lock and caller. If slot 0 has no such row, moves
 * the row to slot 0. */
static void merge_row(struct locks_row *row)
{
	struct locks_instance *instance = &locks.instance[row->instance - 1];
	const uintptr_t lock = (uintptr_t)instance, caller = (uintptr_t)row->caller;
	struct thread_entry *e = ended.places ? thread_find(&ended, lock, caller) : NULL;

	if (e && e->row->caller == row->caller) {
		locks_row_add(e->row, row);
		if (e->counts)
			locks_counts_add(e->counts, rows_counts(row), locks.header->n_events);
		rows_free(row);
		return;
	}
	row->slot = 0;
	row->next = 0;
	/* If the entry cannot be added, slot 0 may get several rows for this lock and caller. */
	e = add_entry(&ended, lock, caller);
	if (e) {
		e->instance = instance;
		e->row = row;
		e->counts = rows_counts(row);
	}
}

static void merge_rows(const struct thread *t)
{
	for (uint32_t next, number = t->rows; number; number = next) {
		struct locks_row *row = &locks.row[number - 1];

		next = row->next;
		merge_row(row);
	}
}

static void unmap(struct thread *t)
{
	if (t->index.entry)
		munmap(t->index.entry, t->index.places * sizeof *t->index.entry);
	munmap(t, sizeof *t);
}

static void merge_all(struct thread *t)
{
	for (struct thread *inner; t; t = inner) {
		inner = t->inner;
		merge_rows(t);
		if (inner)
			locks_row_add(&locks.slot[t->place].other, &inner->own_slot.other);
		unmap(t);
	}
}

/* The memory of the parent's threads stays mapped: it is small, and the addresses of its parts were
 * in memory that the kernel has cleared. */
void thread_forget(void)
{
	memset(taken, 0, sizeof taken);
	ended = (struct thread_index){.n = 0};
}

static void merge_slot(uint32_t place)
{
	const uint32_t n = locks.header->n_events;

	locks_thread_add(&locks.slot[0], &locks.slot[place]);
	clear(&locks.slot[place], sizeof *locks.slot);
	if (!n)
		return;
	locks_counts_add(rows_counts_of_slot(0), rows_counts_of_slot(place), n);
	clear(rows_counts_of_slot(place), locks_counts_size(n));
}

static void leave(void *thread)
{
	struct thread *t = thread;
	struct locks_header *h = locks.header;
	const uint32_t place = t->place;
	struct moment now;
	struct guard g;

	if (process_has_stopped() || process_forget_parent() || !h || t != thread_self)
		return;
	t->ready = 0;
	if (!process_enter(&g))
		return;
	sched_forget_block(t);
	sched_end(t->slot);
	events_read_after(t->events, &now);
	measure_set_state(t, &now);
	h->container.sequence++;
	atomic_thread_fence(memory_order_release);
	if (events_n())
		events_close(&t->own_events, place);
	note_exit(t);
	wakes_note_exit(t);
	merge_all(t);
	merge_slot(place);
	taken[place] = NULL;
	h->n_ended++;
	atomic_thread_fence(memory_order_release);
	h->container.sequence++;
	/* If a destructor that runs later acquires locks, they are counted for a new thread. */
	thread_self = &left;
	guard_leave(&g);
}

bool thread_has_left(void)
{
	return thread_self == &left;
}

/* Inner threads are included, as signal handlers that have interrupted a thread write to them. */
void thread_stop_all(void)
{
	for (uint32_t place = 1; place < LOCKS_SLOTS; place++)
		for (struct thread *t = taken[place]; t; t = t->inner)
			t->measured = t->ready = 0;
}

void thread_end_all(void)
{
	for (uint32_t place = 1; place < LOCKS_SLOTS; place++) {
		if (!taken[place])
			continue;
		if (taken[place] == thread_self)
			sched_end(taken[place]->slot);
		else
			sched_end_other(taken[place]->slot);
	}
}

void thread_reopen_all(void)
{
	for (uint32_t place = 1; place < LOCKS_SLOTS; place++)
		if (taken[place])
			taken[place]->slot->sched.total[LOCKS_TIMED] = 0;
}

uint32_t thread_id(void)
{
	return thread_self->own ? thread_self->slot->tid : 0;
}

/* --- the start of a thread --- */

static bool make_counts_real(uint32_t place)
{
	const uint32_t n = locks.header->n_events;

	return !n || process_make_real(rows_counts_of_slot(place), locks_counts_size(n));
}

/* Returns a free slot, populated; 0: none. */
static uint32_t take_place(void)
{
	uint32_t place = 1;

	while (place < LOCKS_SLOTS && taken[place])
		place++;
	if (place == LOCKS_SLOTS || !process_make_real(&locks.slot[place], sizeof *locks.slot) ||
	    !make_counts_real(place))
		return 0;
	return place;
}

/* Opens the events. If none can be read, t->events is NULL, so that no time is spent on them. */
static void open_events(struct thread *t)
{
	uint32_t lacking;

	events_open(&t->own_events, t->place);
	events_read(&t->own_events, &t->last);
	lacking = events_note(&t->own_events, locks.header->event);
	for (int i = 0; i < events_n(); i++)
		t->slot->lacking[i] = lacking >> i & 1;
	t->events = lacking + 1 == 1u << events_n() ? NULL : &t->own_events;
}

/* Returns a seed from the 16 random bytes that the kernel gives to each program. */
static uint64_t seed(void)
{
	const void *random = (const void *)(uintptr_t)getauxval(AT_RANDOM);
	uint64_t seed = 1;

	if (random)
		memcpy(&seed, random, sizeof seed);
	return seed;
}

static struct thread *make(struct locks_thread *slot, uint32_t place, uint32_t number)
{
	struct thread *t = map(sizeof *t);

	if (t && !grow(&t->index)) {
		unmap(t);
		t = NULL;
	}
	if (!t)
		return NULL;
	/* process_begin() has checked that the kernel supports MADV_WIPEONFORK. */
	madvise(t, sizeof *t, MADV_WIPEONFORK);
	t->place = place;
	t->slot = slot ? slot : &t->own_slot;
	t->slot->number = number;
	t->slot->state = LOCKS_FREE;
	if (slot && events_n())
		open_events(t);
	if (slot)
		sched_begin(slot);
	t->slot->begin = t->slot->since = process_ticks();
	t->other = (struct thread_entry){.instance = &t->no_instance,
					 .row = &t->slot->other,
					 .counts = slot && t->events ? rows_counts_of_slot(place)
								     : NULL};
	t->no_instance.owner = number;
	t->short_ticks = (SCHED_SHORT_NS << 32) / locks.header->ns_per_tick;
	t->sample = locks.header->sample;
	t->random = (seed() ^ (uint64_t)number << 32 ^ (uintptr_t)t) | 1;
	t->own = 1;
	t->measured = process_steady && t->sample == 1 && !events_n() ? THREAD_PLAIN : THREAD_READY;
	t->ready = t->measured;
	return t;
}

static struct thread *make_outer(void)
{
	const uint32_t place = take_place();
	struct locks_thread *slot = &locks.slot[place];
	struct thread *t = place ? make(slot, place, locks.header->n_threads + 1) : NULL;

	if (!t)
		return NULL;
	taken[place] = t;
	locks.header->n_threads++;
	prctl(PR_GET_NAME, slot->name);
	atomic_thread_fence(memory_order_release);
	slot->tid = (uint32_t)syscall(SYS_gettid);
	return t;
}

/* Returns the state for a signal handler that interrupted the thread, or another handler, while it
 * was writing. */
static struct thread *enter_inner(struct thread *t)
{
	struct locks_thread *slot = t->slot;
	struct guard g;

	for (int depth = 0; depth < DEPTH; depth++) {
		if (!t->inner && process_enter(&g)) {
			t->inner = make(NULL, t->place, t->slot->number);
			if (t->inner)
				t->inner->events = t->events;
			guard_leave(&g);
		}
		t = t->inner;
		if (!t || t->ready)
			break;
	}
	if (t && t->ready)
		return t;
	slot->n_unmeasured++;
	return NULL;
}

struct thread *thread_enter(void)
{
	struct thread *t = thread_self;
	struct guard g;

	if (t == &no_slot || !real_find() || process_has_stopped())
		return NULL;
	if (t->own)
		return enter_inner(t);
	process_forget_parent();
	if (!process_begin())
		return NULL;
	if (!process_enter(&g))
		return NULL;
	if (!has_key)
		has_key = !pthread_key_create(&key, leave);
	t = make_outer();
	if (!t)
		locks.header->n_homeless++;
	thread_self = t ? t : &no_slot;
	guard_leave(&g);
	/* Called outside the guard, as pthread_setspecific() may call the program's malloc(), which
	 * may acquire locks. */
	if (t && has_key)
		pthread_setspecific(key, t);
	return t;
}
