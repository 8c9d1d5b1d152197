/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "profile/locks/copy.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/file.h"
#include "base/lookup.h"
#include "base/mem.h"
#include "inject/table_reader.h"

/* How often to try to read a row or a slot that changes while it is read. */
#define PART_TRIES 100
/* Rows read by one system call. */
#define PIECE 64

void locks_copy_init(struct locks_copy *c)
{
	*c = (struct locks_copy){.n_rows = 0};
}

/* --- sections that are copied whole --- */

static void correct_instances(struct locks_copy *c)
{
	for (uint32_t i = 0; i < c->header.n_instances; i++)
		c->instance[i].n_processes = 0;
}

/* The record of a lock that was added after the header was read gets instance 0 (several locks), so
 * that the record stays in the sum. */
static void correct_waits(struct locks_copy *c)
{
	for (uint32_t i = 0; i < c->header.n_waits; i++)
		if (c->wait[i].instance > c->header.n_instances)
			c->wait[i].instance = 0;
}

/* A number of a wait that is out of bounds becomes 0; so does `next` if it is not an earlier
 * record, so that each chain ends, or if the chain would be longer than the preloaded object makes
 * it. Without a record of a wait there are no chains. */
static void correct_chains(struct locks_copy *c)
{
	if (!c->header.n_waits)
		c->header.n_chains = 0;
	for (uint32_t i = 0; i < c->header.n_chains; i++) {
		struct locks_chain *chain = &c->chain[i];

		if (chain->wait >= c->header.n_waits)
			chain->wait = 0;
		if (chain->next >= i || c->chain[chain->next].depth >= LOCKS_CHAIN_DEPTH)
			chain->next = 0;
		chain->depth = chain->next ? c->chain[chain->next].depth + 1 : 1;
	}
}

/* In the order of reading: those that are not late are read before threads and rows, the others
 * after them. A section may refer to those before it. */
static const struct copied {
	enum locks_section section;
	bool late;
	size_t array;                          /* offset of the pointer in struct locks_copy */
	void (*correct)(struct locks_copy *c); /* after reading; NULL: nothing */
} copied[] = {
	{LOCKS_MODULE, false, offsetof(struct locks_copy, module), NULL},
	{LOCKS_INSTANCE, false, offsetof(struct locks_copy, instance), correct_instances},
	{LOCKS_WAIT, true, offsetof(struct locks_copy, wait), correct_waits},
	{LOCKS_PAST, true, offsetof(struct locks_copy, past), NULL},
	{LOCKS_CHAIN, true, offsetof(struct locks_copy, chain), correct_chains},
};

#define N_COPIED (sizeof copied / sizeof *copied)

static void *get_array(const struct locks_copy *c, const struct copied *s)
{
	void *array;

	memcpy(&array, (const char *)c + s->array, sizeof array);
	return array;
}

static int read_section(struct locks_copy *c, const struct container_reader *r,
			const struct copied *s, struct err *err)
{
	void *array = get_array(c, s);
	int ret = container_reader_copy_all(r, s->section, &array, err);

	memcpy((char *)c + s->array, &array, sizeof array);
	if (!ret && s->correct)
		s->correct(c);
	return ret;
}

static int read_sections(struct locks_copy *c, const struct container_reader *r, bool late,
			 struct err *err)
{
	int ret = 0;

	for (size_t i = 0; i < N_COPIED && !ret; i++)
		if (copied[i].late == late)
			ret = read_section(c, r, &copied[i], err);
	return ret;
}

void locks_copy_done(struct locks_copy *c)
{
	for (size_t i = 0; i < N_COPIED; i++)
		free(get_array(c, &copied[i]));
	free(c->thread);
	free(c->row);
	free(c->row_counts);
	free(c->thread_counts);
	free(c->scratch);
	locks_copy_init(c);
}

/* --- the others --- */

static int read_header(struct locks_copy *c, struct container_reader *r, struct err *err)
{
	const struct locks_header *h = &c->header;
	int ret = container_reader_open(r, err);

	if (!ret && (!container_reader_count(r, LOCKS_SLOT) ||
		     h->max_rows != container_reader_count(r, LOCKS_ROW) ||
		     (h->n_events &&
		      (container_reader_stride(r, LOCKS_COUNTS) != locks_counts_size(h->n_events) ||
		       container_reader_count(r, LOCKS_COUNTS) < h->max_rows + LOCKS_SLOTS))))
		ret = err_set(err, EBADMSG, "is damaged");
	return ret;
}

/* Reads a row or a slot, with its counts, as of one moment. If its thread writes too often for
 * that, or was stopped while writing, it is used as it is: its numbers are then some calls
 * apart. */
static int settle(const struct container_reader *r, const struct container_piece *part,
		  uint32_t counts_number, struct locks_quantity *counts, struct err *err)
{
	const struct container_piece pieces[] = {*part, {LOCKS_COUNTS, counts_number, counts, 0}};
	bool torn;

	return container_reader_copy_stable(r, pieces, counts ? 2 : 1, PART_TRIES, &torn, err);
}

/* Makes room for the counts of n rows or threads. */
static struct locks_quantity *grow_counts(const struct locks_copy *c, struct locks_quantity *counts,
					  size_t *cap, size_t n)
{
	const size_t each = c->header.n_events * LOCKS_PHASES;

	return each ? xgrow(counts, cap, n * each, sizeof *counts) : counts;
}

/* Returns whether the slots of all living threads have been read, so that no further slots need to
 * be searched. Returns false also if this cannot be known: a thread has started since the header
 * was read, or had no slot. */
static bool has_all_threads(const struct locks_copy *c, int fd)
{
	const struct locks_header *h = &c->header;
	uint32_t now;

	return !h->n_homeless && h->n_threads >= h->n_ended &&
	       c->n_threads > h->n_threads - h->n_ended &&
	       !file_read_at(fd, &now, sizeof now, offsetof(struct locks_header, n_threads),
			     NULL) &&
	       now == h->n_threads;
}

static int read_thread(struct locks_copy *c, const struct container_reader *r, uint32_t slot,
		       struct err *err)
{
	struct locks_thread *t = &c->thread[c->n_threads];
	const struct container_piece part = {LOCKS_SLOT, slot, t, 0};
	int ret = container_reader_copy(r, &part, 1, err);

	if (!ret && (!slot || t->tid))
		ret = settle(r, &part, c->header.max_rows + slot, locks_copy_other(c, c->n_threads),
			     err);
	if (!ret)
		ret = container_reader_check(r, LOCKS_SLOT, t, 1, err);
	if (ret)
		return ret;
	t->slot = slot;
	t->other.instance = 0; /* the row `other` has no column for it, so it is not checked */
	t->other.n_under_way = t->other.under_way = 0;
	if (t->state != LOCKS_WAITING || t->wait_for >= c->header.n_waits)
		t->wait_for = 0;
	c->n_threads += !slot || t->tid;
	return 0;
}

static int read_threads(struct locks_copy *c, const struct container_reader *r, struct err *err)
{
	const uint32_t n = container_reader_used(r, LOCKS_SLOT);
	int ret = 0;

	c->n_threads = 0;
	c->thread = xgrow(c->thread, &c->cap_threads, LOCKS_SLOTS, sizeof *c->thread);
	c->thread_counts = grow_counts(c, c->thread_counts, &c->cap_thread_counts, LOCKS_SLOTS);
	for (uint32_t slot = 0; slot < n && !ret && !has_all_threads(c, r->fd); slot++)
		ret = read_thread(c, r, slot, err);
	return ret;
}

static int add_row(struct locks_copy *c, const struct container_reader *r, struct locks_row *row,
		   uint32_t i, struct err *err)
{
	const struct container_piece part = {LOCKS_ROW, i, row, 0};
	struct locks_row key = {.next = (uint32_t)c->n_rows};
	int ret;

	c->row_counts = grow_counts(c, c->row_counts, &c->cap_row_counts, c->n_rows + 1);
	ret = settle(r, &part, i, locks_copy_counts(c, &key), err);
	if (ret || row->slot == LOCKS_NO_SLOT)
		return ret;
	ret = container_reader_check(r, LOCKS_ROW, row, 1, err);
	if (ret)
		return ret;
	c->row = xgrow(c->row, &c->cap_rows, c->n_rows + 1, sizeof *c->row);
	row->next = key.next;
	row->sequence = i + 1;
	row->n_under_way = row->under_way = 0;
	c->row[c->n_rows++] = *row;
	return 0;
}

static int read_rows(struct locks_copy *c, const struct container_reader *r, struct err *err)
{
	int ret = 0;

	c->n_rows = 0;
	c->scratch = c->scratch ? c->scratch : xmalloc(PIECE * sizeof *c->row);
	for (uint32_t i = 0; i < c->header.n_rows && !ret; i += PIECE) {
		const uint32_t left = c->header.n_rows - i, n = left < PIECE ? left : PIECE;
		struct locks_row *row = c->scratch;

		ret = container_reader_copy(r, &(struct container_piece){LOCKS_ROW, i, row, 0}, n,
					    err);
		for (uint32_t k = 0; k < n && !ret; k++)
			ret = add_row(c, r, &row[k], i + k, err);
	}
	return ret;
}

/* Discards waits that have ended since their threads were read: their time may be part of the rows
 * already. */
static int check_waits(struct locks_copy *c, const struct container_reader *r, struct err *err)
{
	int ret = 0;

	for (size_t i = 0; i < c->n_threads && !ret && !r->ended; i++) {
		struct locks_thread *t = &c->thread[i];
		uint32_t after = t->sequence;

		if (t->tid && t->state == LOCKS_WAITING)
			ret = container_reader_copy(r,
						    &(struct container_piece){LOCKS_SLOT, t->slot,
									      &after, sizeof after},
						    1, err);
		if (after != t->sequence)
			t->wait_since = 0;
	}
	return ret;
}

/* Reads the table once. -EAGAIN if a thread exited during the reading: it would be counted twice,
 * or not at all. */
static int read_once(struct locks_copy *c, struct container_reader *r, struct err *err)
{
	int ret = read_header(c, r, err);

	if (!ret)
		ret = read_sections(c, r, false, err);
	if (!ret)
		ret = read_threads(c, r, err);
	if (!ret)
		ret = read_rows(c, r, err);
	if (!ret)
		ret = check_waits(c, r, err);
	if (!ret)
		ret = read_sections(c, r, true, err);
	return ret ? ret : container_reader_close(r, err);
}

/* Calls once(), again as long as it returns -EAGAIN and backoff() allows it. */
static int read_by(int (*once)(struct locks_copy *c, struct container_reader *r, struct err *err),
		   struct locks_copy *c, int fd, bool ended, struct err *err)
{
	struct container_reader r = {
		.plan = &locks_plan, .fd = fd, .ended = ended, .header = &c->header};
	int ret = -EAGAIN;

	c->kernel = (struct locks_kernel){.used = false};
	for (int tries = 0; ret == -EAGAIN && backoff(tries); tries++)
		ret = once(c, &r, err);
	return ret;
}

int locks_copy_read(struct locks_copy *c, int fd, bool ended, struct err *err)
{
	return read_by(read_once, c, fd, ended, err);
}

/* Reads the header and the locks once. */
static int read_locks_once(struct locks_copy *c, struct container_reader *r, struct err *err)
{
	int ret = read_header(c, r, err);

	for (size_t i = 0; i < N_COPIED && !ret; i++)
		if (copied[i].section == LOCKS_INSTANCE)
			ret = read_section(c, r, &copied[i], err);
	return ret;
}

int locks_copy_read_locks(struct locks_copy *c, int fd, bool ended, struct err *err)
{
	return read_by(read_locks_once, c, fd, ended, err);
}

/* ---- shared ---- */

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

/* Returns the noted lock in shared memory of which this is the instance in a process; NULL: there
 * is none. */
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

const struct locks_module *locks_copy_module(const struct locks_copy *c, uint64_t place)
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

/* Converts a place of a copy to a place of the sums; without a module, that is the same address. */
static uint64_t move(struct locks_shared *s, const struct locks_copy *c, uint64_t place)
{
	const struct locks_module *from = place ? locks_copy_module(c, place) : NULL;
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

/* Adds a record of waits for a lock; of its stack, only the waiting caller is kept. */
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
