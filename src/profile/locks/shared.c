/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "profile/locks/shared.h"

#include <stdlib.h>
#include <string.h>

#include "base/lookup.h"
#include "base/mem.h"

/* Where the modules of the sums are mapped: above all addresses of a process. */
#define MODULES_BEGIN (1ull << 52)
#define MODULE_SIZE   (1ull << 40)

/* A lock in shared memory. */
struct lock {
	uint32_t kind;
	struct locks_memory memory;
	uint32_t n_processes, pid; /* pid: the last process that was noted */
	uint32_t number;           /* of the lock in the sums; 0: none yet */
};

/* Arrays of the sums that grow. */
struct room {
	size_t instances, modules, rows, counts, waits;
};

struct locks_shared {
	struct lock *lock;
	size_t n, cap;
	struct hash by_place;        /* index of each lock, plus 1, by key_of() */
	struct locks_copy sum;       /* its header has the numbers of all elements */
	struct room cap_sum;         /* how many elements have memory */
	struct hash by_row, by_wait; /* index of each row or wait, plus 1 */
	uint32_t n_processes, pid;   /* pid: the last process that was added */
};

struct locks_shared *locks_shared_new(void)
{
	struct locks_shared *s = xcalloc(1, sizeof *s);

	locks_copy_init(&s->sum);
	s->sum.thread = xcalloc(1, sizeof *s->sum.thread);
	s->sum.n_threads = 1;
	return s;
}

void locks_shared_free(struct locks_shared *s)
{
	hash_done(&s->by_place);
	hash_done(&s->by_row);
	hash_done(&s->by_wait);
	locks_copy_done(&s->sum);
	free(s->lock);
	free(s);
}

/* --- locks --- */

static bool is_same(const struct lock *a, const struct lock *b)
{
	return a->kind == b->kind && a->memory.device == b->memory.device &&
	       a->memory.inode == b->memory.inode && a->memory.offset == b->memory.offset;
}

/* Returns the hash key of a lock: locks with the same hash have consecutive keys. */
static uint64_t key_of(const struct locks_shared *s, const struct lock *l)
{
	const uint64_t all[] = {l->kind, l->memory.device, l->memory.inode, l->memory.offset};
	uint64_t key = hash_text((const char *)all, sizeof all);
	uintptr_t number;

	while ((number = (uintptr_t)hash_get(&s->by_place, key)) &&
	       !is_same(&s->lock[number - 1], l))
		key++;
	return key;
}

/* Returns the lock of an instance; NULL: it was not noted, or is not in shared memory. */
static struct lock *find_lock(const struct locks_shared *s, const struct locks_instance *i)
{
	const struct lock l = {.kind = i->kind, .memory = i->memory};
	const uintptr_t number =
		i->memory.inode ? (uintptr_t)hash_get(&s->by_place, key_of(s, &l)) : 0;

	return number ? &s->lock[number - 1] : NULL;
}

static struct lock *get_lock(struct locks_shared *s, const struct locks_instance *i)
{
	const struct lock new = {.kind = i->kind, .memory = i->memory};
	struct lock *l = find_lock(s, i);

	if (l)
		return l;
	s->lock = xgrow(s->lock, &s->cap, s->n + 1, sizeof *s->lock);
	hash_put(&s->by_place, key_of(s, &new), (void *)(uintptr_t)(s->n + 1));
	s->lock[s->n] = new;
	return &s->lock[s->n++];
}

void locks_shared_note(struct locks_shared *s, const struct locks_copy *c)
{
	const uint32_t pid = c->header.container.pid;

	for (uint32_t i = 0; i < c->header.n_instances; i++) {
		struct lock *l = c->instance[i].memory.inode ? get_lock(s, &c->instance[i]) : NULL;

		if (!l || l->pid == pid)
			continue;
		l->pid = pid;
		l->n_processes++;
	}
}

void locks_shared_mark(const struct locks_shared *s, struct locks_copy *c)
{
	for (uint32_t i = 0; i < c->header.n_instances; i++) {
		const struct lock *l = find_lock(s, &c->instance[i]);

		c->instance[i].n_processes = l && l->n_processes > 1 ? l->n_processes : 0;
	}
}

/* --- modules and places --- */

/* Returns the module of a caller in a copy; NULL: unknown. A caller is a return address: the call
 * is before it. */
static const struct locks_module *find_module(const struct locks_copy *c, uint64_t place)
{
	const uint64_t address = locks_place_address(place) - 1;

	for (uint32_t i = 0; i < c->header.n_modules; i++) {
		const struct locks_module *m = &c->module[i];

		if (address >= m->begin && address < m->end && m->layer == locks_place_layer(place))
			return m;
	}
	return NULL;
}

/* Returns the module of the sums for the same file; adds it if there is none. */
static struct locks_module *get_module(struct locks_shared *s, const struct locks_module *from)
{
	struct locks_copy *sum = &s->sum;
	struct locks_module *m;

	for (uint32_t i = 0; i < sum->header.n_modules; i++) {
		m = &sum->module[i];
		if (m->inode == from->inode && !strcmp(m->path, from->path) &&
		    !memcmp(&m->id, &from->id, sizeof m->id))
			return m;
	}
	sum->module = xgrow(sum->module, &s->cap_sum.modules, sum->header.n_modules + 1,
			    sizeof *sum->module);
	m = &sum->module[sum->header.n_modules];
	*m = *from;
	m->layer = 0;
	m->begin = m->end = MODULES_BEGIN + sum->header.n_modules++ * MODULE_SIZE;
	return m;
}

/* Returns a place of a copy as one of the sums. Without a module, it is the same address. */
static uint64_t move(struct locks_shared *s, const struct locks_copy *c, uint64_t place)
{
	const struct locks_module *from = place ? find_module(c, place) : NULL;
	struct locks_module *to;
	uint64_t offset;

	if (!from || from->end - from->begin >= MODULE_SIZE)
		return locks_place_address(place);
	to = get_module(s, from);
	offset = locks_place_address(place) - from->begin;
	if (to->end < to->begin + (from->end - from->begin))
		to->end = to->begin + (from->end - from->begin);
	return to->begin + offset;
}

/* --- sums --- */

/* Returns the number, from 1 on, of a lock in the sums. Its address is 0 if processes have it at
 * different ones. */
static uint32_t get_instance(struct locks_shared *s, const struct locks_copy *c,
			     const struct locks_instance *from)
{
	struct lock *l = find_lock(s, from);
	struct locks_header *h = &s->sum.header;
	struct locks_instance *to;

	if (!l->number) {
		s->sum.instance = xgrow(s->sum.instance, &s->cap_sum.instances, h->n_instances + 1,
					sizeof *s->sum.instance);
		s->sum.instance[h->n_instances] = (struct locks_instance){
			.address = from->address,
			.first_caller = move(s, c, from->first_caller),
			.generation = 1,
			.kind = from->kind,
			.n_processes = l->n_processes,
			.memory = from->memory,
		};
		l->number = ++h->n_instances;
	}
	to = &s->sum.instance[l->number - 1];
	if (to->address != from->address)
		to->address = 0;
	return l->number;
}

/* Returns the row of the sums for a lock and a caller. */
static struct locks_row *get_row(struct locks_shared *s, uint32_t instance, uint64_t caller)
{
	const uint64_t both[] = {instance, caller};
	const size_t each = s->sum.header.n_events * LOCKS_PHASES;
	struct locks_copy *sum = &s->sum;
	uint64_t key = hash_text((const char *)both, sizeof both);
	uintptr_t number;

	for (; (number = (uintptr_t)hash_get(&s->by_row, key)); key++)
		if (sum->row[number - 1].instance == instance &&
		    sum->row[number - 1].caller == caller)
			return &sum->row[number - 1];
	sum->row = xgrow(sum->row, &s->cap_sum.rows, sum->n_rows + 1, sizeof *sum->row);
	if (each) {
		sum->row_counts = xgrow(sum->row_counts, &s->cap_sum.counts,
					(sum->n_rows + 1) * each, sizeof *sum->row_counts);
		memset(&sum->row_counts[sum->n_rows * each], 0, each * sizeof *sum->row_counts);
	}
	sum->row[sum->n_rows] = (struct locks_row){.instance = instance,
						   .caller = caller,
						   .sequence = (uint32_t)sum->n_rows + 1,
						   .next = (uint32_t)sum->n_rows};
	hash_put(&s->by_row, key, (void *)(uintptr_t)(sum->n_rows + 1));
	return &sum->row[sum->n_rows++];
}

static void add_shared_row(struct locks_shared *s, const struct locks_copy *c,
			   const struct locks_row *from)
{
	const uint32_t instance = get_instance(s, c, &c->instance[from->instance - 1]);
	struct locks_row *to = get_row(s, instance, move(s, c, from->caller));
	struct locks_quantity *counts = locks_copy_counts(&s->sum, to);

	to->shared |= from->shared;
	locks_row_add(to, from);
	if (counts)
		locks_counts_add(counts, locks_copy_counts(c, from), s->sum.header.n_events);
}

/* Adds the waits for a lock and a holder; the callers of the waiting one are left out. */
static void add_wait(struct locks_shared *s, const struct locks_copy *c,
		     const struct locks_wait *from)
{
	const struct locks_wait new = {
		.instance = get_instance(s, c, &c->instance[from->instance - 1]),
		.n_frames = 1,
		.holder = move(s, c, from->holder),
		.frame = {move(s, c, from->frame[0])},
	};
	const uint64_t all[] = {new.instance, new.holder, new.frame[0]};
	struct locks_copy *sum = &s->sum;
	uint64_t key = hash_text((const char *)all, sizeof all);
	uintptr_t number;
	struct locks_wait *w = NULL;

	for (; !w && (number = (uintptr_t)hash_get(&s->by_wait, key)); key++) {
		w = &sum->wait[number - 1];
		if (w->instance != new.instance || w->holder != new.holder ||
		    w->frame[0] != new.frame[0])
			w = NULL;
	}
	if (!w) {
		sum->wait = xgrow(sum->wait, &s->cap_sum.waits, sum->header.n_waits + 1,
				  sizeof *sum->wait);
		w = &sum->wait[sum->header.n_waits++];
		*w = new;
		hash_put(&s->by_wait, key, (void *)(uintptr_t)sum->header.n_waits);
	}
	w->n += from->n;
	w->ticks += from->ticks;
}

/* Begins the sums: their header is that of the first copy, without its process and elements. */
static void begin(struct locks_shared *s, const struct locks_header *from)
{
	struct locks_header *h = &s->sum.header;

	if (h->ns_per_tick)
		return;
	*h = (struct locks_header){.ns_per_tick = from->ns_per_tick,
				   .n_events = from->n_events,
				   .sample = from->sample};
	memcpy(h->event, from->event, sizeof h->event);
	if (h->n_events)
		s->sum.thread_counts =
			xcalloc(h->n_events * LOCKS_PHASES, sizeof *s->sum.thread_counts);
}

static bool is_marked(const struct locks_copy *c, uint32_t instance)
{
	return instance && c->instance[instance - 1].n_processes;
}

void locks_shared_add(struct locks_shared *s, const struct locks_copy *c)
{
	bool any = false;

	begin(s, &c->header);
	/* All processes of a command count the same events: others would be of another command. */
	if (c->header.n_events != s->sum.header.n_events)
		return;
	for (size_t i = 0; i < c->n_rows; i++) {
		if (!is_marked(c, c->row[i].instance))
			continue;
		add_shared_row(s, c, &c->row[i]);
		any = true;
	}
	for (uint32_t i = 0; i < c->header.n_waits; i++)
		if (is_marked(c, c->wait[i].instance))
			add_wait(s, c, &c->wait[i]);
	s->n_processes += any && s->pid != c->header.container.pid;
	s->pid = any ? c->header.container.pid : s->pid;
}

struct locks_copy *locks_shared_copy(struct locks_shared *s)
{
	return s->sum.n_rows ? &s->sum : NULL;
}

uint32_t locks_shared_n_processes(const struct locks_shared *s)
{
	return s->n_processes;
}
