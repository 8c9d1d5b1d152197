/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "inject/preload/locks.h"

#include <fcntl.h>
#include <inttypes.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "inject/preload/process.h"
#include "inject/preload/table.h"

/* ---- mapping ----
 *
 * The memory mappings of the process, from /proc/self/maps.
 *
 * Functions are called under the guard.
 */

/* Calls visit() with each line, such as "7f00-7f10 r-xp 00001000 00:1b 42 /lib/x", until it returns
 * true. Returns false if the mappings cannot be read. */
static bool mapping_walk(bool (*visit)(void *context, const char *line), void *context);
/* Sets the memory of a new lock if it is mapped with MAP_SHARED. Private ranges in which a lock was
 * found are remembered, so that the mappings are seldom read: a lock in a shared mapping that later
 * replaces such a range is taken for a private one. So are locks that are found after too many
 * mappings have been read. */
static void mapping_set_memory(struct locks_instance *instance);
/* Forgets what is remembered, in the child of a fork. */
static void mapping_forget(void);

/* ---- locks ---- */

struct locks locks;

/* ---- module ---- */

/* A walk over the mapped modules of the process. visit: returns true to end the walk. */
struct walk {
	bool (*visit)(struct locks_module *m, uintptr_t address);
	uintptr_t address;
	struct locks_module m;
	bool enough;
};

/* Returns whether a mapping extends a module: a further part of the same file, or unnamed memory
 * right after it, which is its zero-initialized data (.bss). Unnamed memory that is executable, or
 * only reserved, is not part of the file: a just-in-time compiler, for example, has mapped it.
 * rights: such as "r-xp". */
static bool extends(const struct locks_module *m, uint64_t begin, uint64_t inode,
		    const char *rights, const char *path)
{
	if (inode)
		return m->inode == inode && !strncmp(m->path, path, sizeof m->path - 1);
	return m->inode && !*path && m->end == begin && rights[0] == 'r' && rights[2] != 'x';
}

static bool has(const struct locks_module *m, uintptr_t address)
{
	return address >= m->begin && address < m->end;
}

/* Reads through /proc/self/mem: unmapped memory or a truncated file is an error of pread(2), not a
 * signal. */
static void read_build_id(struct locks_module *m)
{
	const int fd = m->inode ? open("/proc/self/mem", O_RDONLY | O_CLOEXEC) : -1;

	if (fd < 0)
		return;
	build_id_read_memory(&m->id, fd, m->begin);
	close(fd);
}

static bool is_same(const struct locks_module *a, const struct locks_module *b)
{
	return a->begin == b->begin && a->inode == b->inode &&
	       !strncmp(a->path, b->path, sizeof a->path);
}

/* --- noted modules --- */

/* Returns the noted module that is mapped at an address; NULL: none. */
static const struct locks_module *find(uintptr_t address)
{
	for (uint32_t i = 0; i < locks.header->n_modules; i++)
		if (!locks.module[i].gone && has(&locks.module[i], address))
			return &locks.module[i];
	return NULL;
}

/* Returns the first layer (table.h) that no noted module has used at these addresses. */
static uint32_t next_layer(uint64_t begin, uint64_t end)
{
	uint32_t layer = 0;

	for (uint32_t i = 0; i < locks.header->n_modules; i++) {
		const struct locks_module *m = &locks.module[i];

		if (m->begin < end && begin < m->end && m->layer >= layer)
			layer = m->layer + 1;
	}
	return layer;
}

/* Reuses the record of a file that is mapped again at its old address. Returns false if there is no
 * such record. */
static bool reuse_record(const struct locks_module *m)
{
	for (uint32_t i = 0; i < locks.header->n_modules; i++) {
		struct locks_module *old = &locks.module[i];

		if (!is_same(old, m) || memcmp(&old->id, &m->id, sizeof m->id) != 0)
			continue;
		old->gone = 0;
		return true;
	}
	return false;
}

static void add_module(struct locks_module *m)
{
	struct locks_header *h = locks.header;

	read_build_id(m);
	if (reuse_record(m))
		return;
	m->layer = next_layer(m->begin, m->end);
	if (h->n_modules >= LOCKS_MODULES || m->layer >= LOCKS_LAYERS) {
		h->n_nameless++;
		return;
	}
	locks.module[h->n_modules] = *m;
	atomic_thread_fence(memory_order_release);
	h->n_modules++;
}

/* --- mappings --- */

/* Parses a line. Returns true to end the walk. */
static bool take_line(void *context, const char *line)
{
	struct walk *w = context;
	unsigned long begin, end;
	uint64_t inode;
	char rights[5];
	int path = 0;

	if (sscanf(line, "%lx-%lx %4s %*x %*s %" SCNu64 " %n", &begin, &end, rights, &inode,
		   &path) != 4 ||
	    !path)
		return false;
	if (w->m.end && extends(&w->m, begin, inode, rights, line + path)) {
		w->m.end = end;
		return false;
	}
	w->enough = w->m.end && w->visit(&w->m, w->address);
	if (w->enough)
		return true;
	w->m = (struct locks_module){.begin = begin, .end = end, .inode = inode};
	snprintf(w->m.path, sizeof w->m.path, "%s", line + path);
	return false;
}

/* Walks over the mapped modules. Returns false if the mappings cannot be read. */
static bool walk(bool (*visit)(struct locks_module *m, uintptr_t address), uintptr_t address)
{
	struct walk w = {.visit = visit, .address = address};
	const bool is_read = mapping_walk(take_line, &w);

	if (!w.enough && w.m.end)
		visit(&w.m, address);
	return is_read;
}

static bool note_one(struct locks_module *m, uintptr_t address)
{
	if (!has(m, address))
		return false;
	add_module(m);
	return true;
}

uint64_t module_place(uintptr_t address)
{
	const struct locks_module *m = find(address);

	return locks_place(address, m ? m->layer : next_layer(address, address + 1));
}

uint64_t module_note(uintptr_t address)
{
	if (!find(address))
		walk(note_one, address);
	return module_place(address);
}

/* --- unloaded modules --- */

/* Whether each noted module is mapped. Used under the guard. */
static bool is_mapped[LOCKS_MODULES];

static bool note_file(struct locks_module *m, uintptr_t unused)
{
	(void)unused;
	if (m->inode && !find(m->begin))
		add_module(m);
	return false;
}

static bool note_waiting(struct locks_module *m, uintptr_t unused)
{
	return module_calls_futex(m->path) && note_file(m, unused);
}

void module_note_futex(void)
{
	walk(note_waiting, 0);
}

void module_note_all(void)
{
	walk(note_file, 0);
}

static bool see(struct locks_module *m, uintptr_t unused)
{
	(void)unused;
	for (uint32_t i = 0; i < locks.header->n_modules; i++)
		is_mapped[i] |= is_same(&locks.module[i], m);
	return false;
}

void module_find_unmapped(void (*tell)(const struct locks_module *m))
{
	memset(is_mapped, 0, sizeof is_mapped);
	if (!walk(see, 0))
		return;
	for (uint32_t i = 0; i < locks.header->n_modules; i++) {
		struct locks_module *m = &locks.module[i];

		if (is_mapped[i] || m->gone || !m->inode)
			continue;
		m->gone = 1;
		tell(m);
	}
}

/* ---- rows ---- */

/* The number of rows whose memory is populated together. */
#define ROWS_PIECE 64

static uint32_t n_real_rows, free_row; /* n_real_rows: rows with populated memory. free_row: the
				     first row of the list of free rows; 0: none */
static atomic_bool full;

/* Returns the counts of row `number`, from 0 on, or of slot number - max_rows; NULL: no events are
 * counted. */
static struct locks_quantity *counts_of(uint32_t number)
{
	const struct locks_header *h = locks.header;

	if (!h->n_events)
		return NULL;
	return (void *)((char *)locks.header +
			locks_counts_offset(h->n_events, h->max_rows, number));
}

static bool make_real(uint32_t number, uint32_t n)
{
	const size_t counts = locks_counts_size(locks.header->n_events);

	return process_make_real(&locks.row[number], n * sizeof *locks.row) &&
	       (!counts || process_make_real(counts_of(number), n * counts));
}

static bool has_row(const struct locks_header *h)
{
	if (h->n_rows + ROWS_PIECE > h->max_rows)
		return false;
	if (h->n_rows < n_real_rows)
		return true;
	if (!make_real(h->n_rows, ROWS_PIECE))
		return false;
	n_real_rows = h->n_rows + ROWS_PIECE;
	return true;
}

static struct locks_row *take(void)
{
	struct locks_header *h = locks.header;
	struct locks_row *row = NULL;

	if (free_row) {
		row = &locks.row[free_row - 1];
		free_row = row->next;
	} else if (has_row(h)) {
		row = &locks.row[h->n_rows];
		row->slot = LOCKS_NO_SLOT;
		atomic_thread_fence(memory_order_release);
		h->n_rows++;
	}
	return row;
}

struct locks_row *rows_new(uint32_t slot, const struct locks_instance *instance, uint64_t caller)
{
	struct locks_row *row = take();

	if (!row) {
		atomic_store(&full, true);
		return NULL;
	}
	row->sequence |= 1;
	atomic_thread_fence(memory_order_release);
	*row = (struct locks_row){
		.sequence = row->sequence,
		.slot = slot,
		.instance = (uint32_t)(instance - locks.instance) + 1,
		.caller = caller,
	};
	if (locks.header->n_events)
		memset(rows_counts(row), 0, locks_counts_size(locks.header->n_events));
	atomic_thread_fence(memory_order_release);
	row->sequence++;
	return row;
}

void rows_free(struct locks_row *row)
{
	row->slot = LOCKS_NO_SLOT;
	row->next = free_row;
	free_row = rows_number(row);
	atomic_store(&full, false);
}

uint32_t rows_number(const struct locks_row *row)
{
	return (uint32_t)(row - locks.row) + 1;
}

uint32_t rows_number_or_none(const struct locks_row *row)
{
	const uintptr_t at = (uintptr_t)row, first = (uintptr_t)locks.row;

	return at >= first && at < first + locks.header->max_rows * sizeof *row ? rows_number(row)
										: 0;
}

struct locks_quantity *rows_counts(const struct locks_row *row)
{
	return counts_of((uint32_t)(row - locks.row));
}

struct locks_quantity *rows_counts_of_slot(uint32_t slot)
{
	return counts_of(locks.header->max_rows + slot);
}

bool rows_are_full(void)
{
	return atomic_load_explicit(&full, memory_order_relaxed);
}

void rows_forget(void)
{
	n_real_rows = free_row = 0;
	atomic_store(&full, false);
}

/* ---- instance ---- */

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

/* Ends the record of a futex if a lock of another kind is at its address now. A program does not
 * destroy a futex, so only this shows that the memory has another use. */
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

/* ---- mapping ---- */

/* The buffer for pieces of /proc/self/maps; longer than any line. */
static char text[8192];

/* Passes on the complete lines of the n bytes in the buffer. Moves the incomplete last line to the
 * start of the buffer, and sets *left to its length. */
static bool take_lines(bool (*visit)(void *context, const char *line), void *context, size_t *left,
		       size_t n)
{
	char *line = text, *end;
	bool enough = false;

	text[n] = '\0';
	while (!enough && (end = strchr(line, '\n'))) {
		*end = '\0';
		enough = visit(context, line);
		line = end + 1;
	}
	*left = n - (size_t)(line - text);
	memmove(text, line, *left);
	return enough;
}

static bool mapping_walk(bool (*visit)(void *context, const char *line), void *context)
{
	const int fd = open("/proc/self/maps", O_RDONLY | O_CLOEXEC);
	bool enough = false;
	size_t left = 0;
	ssize_t n = 0;

	if (fd < 0)
		return false;
	while (!enough && left < sizeof text - 1 &&
	       (n = read(fd, text + left, sizeof text - 1 - left)) > 0)
		enough = take_lines(visit, context, &left, left + (size_t)n);
	close(fd);
	return enough || !n;
}

/* --- shared memory --- */

/* The most ranges of private memory with locks that are remembered. A further one replaces the
 * oldest one. */
#define RANGES 64

struct range {
	uint64_t begin, end;
};

static struct range known[RANGES];
static uint32_t n_known;

/* The most lines that are read to find locks, so that a process with many mappings and locks in
 * most of them is not slowed down for more than some 0.5 s. Later locks count as private. */
#define LINES 500000

static uint32_t n_lines;

static void mapping_forget(void)
{
	memset(known, 0, sizeof known);
	n_known = n_lines = 0;
}

/* A search for the mapping of a lock. */
struct search {
	struct locks_instance *instance;
	struct range private; /* adjacent private mappings up to the present line */
};

static bool range_has(const struct range *r, uint64_t address)
{
	return address >= r->begin && address < r->end;
}

/* Notes the place of the lock if it is in this shared mapping. */
static void take_shared_memory(struct locks_instance *i, const struct range *r,
			       const struct locks_memory *begin)
{
	if (!range_has(r, i->address))
		return;
	i->memory = *begin;
	i->memory.offset += i->address - r->begin;
}

/* Parses a line. Returns true once the range that may have the lock is complete. */
static bool take_memory_line(void *context, const char *line)
{
	struct search *s = context;
	struct range now, *last = &s->private;
	struct locks_memory begin;
	unsigned major, minor;
	char rights[5];
	bool joins;

	n_lines++;
	if (sscanf(line, "%" SCNx64 "-%" SCNx64 " %4s %" SCNx64 " %x:%x %" SCNu64, &now.begin,
		   &now.end, rights, &begin.offset, &major, &minor, &begin.inode) != 7)
		return false;
	begin.device = (uint64_t)major << 20 | minor;
	joins = rights[3] == 'p' && now.begin == last->end;
	if (joins)
		last->end = now.end;
	else if (now.begin > s->instance->address)
		return true;
	else if (rights[3] == 'p')
		*last = now;
	else
		take_shared_memory(s->instance, &now, &begin);
	return false;
}

static void remember(const struct range *r)
{
	for (uint32_t i = 0; i < RANGES; i++)
		if (known[i].begin == r->begin && known[i].end) {
			known[i] = *r;
			return;
		}
	known[n_known++ % RANGES] = *r;
}

static void mapping_set_memory(struct locks_instance *instance)
{
	struct search s = {.instance = instance};

	for (uint32_t i = 0; i < RANGES; i++)
		if (range_has(&known[i], instance->address))
			return;
	if (n_lines < LINES && mapping_walk(take_memory_line, &s) &&
	    range_has(&s.private, instance->address))
		remember(&s.private);
}
