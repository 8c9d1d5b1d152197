/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "profile/locks/futex_program.h"

#include <errno.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/lookup.h"
#include "base/mem.h"
#include "base/strbuf.h"
#include "profile/locks/report.h"

/* The slot by which rows of a living thread are marked while their uses are found. */
#define SLOT 1

struct futex_program *futex_program_new(pid_t pid, uint64_t ns_per_tick, bool stacks,
					uint64_t begin_ns, const struct map_records *maps)
{
	struct futex_program *p = xcalloc(1, sizeof *p);

	p->pid = pid;
	p->ns_per_tick = ns_per_tick;
	p->stacks = stacks;
	p->begin_ns = begin_ns;
	map_records_init(&p->maps);
	if (maps)
		map_records_copy(&p->maps, maps);
	p->wait = xgrow(NULL, &p->cap_waits, 1, sizeof *p->wait);
	p->next_wait = xgrow(NULL, &p->cap_next, 1, sizeof *p->next_wait);
	p->wait[0] = (struct locks_wait){.instance = 0};
	p->next_wait[0] = 0;
	p->n_waits = 1;
	return p;
}

static void free_thread(struct futex_thread *t)
{
	if (!t)
		return;
	futex_rows_done(&t->rows);
	free(t);
}

void futex_program_free(struct futex_program *p)
{
	size_t pos = 0;
	void *t;

	if (!p)
		return;
	while ((t = hash_next(&p->threads, &pos)))
		free_thread(t);
	hash_done(&p->threads);
	hash_done(&p->by_address);
	hash_done(&p->by_wait);
	map_records_done(&p->maps);
	futex_rows_done(&p->ended);
	free(p->instance);
	free(p->past);
	free(p->share);
	free(p->wait);
	free(p->next_wait);
	free(p);
}

uint64_t futex_program_ticks(const struct futex_program *p, uint64_t ns)
{
	return (uint64_t)((double)ns * 4294967296.0 / (double)p->ns_per_tick);
}

/* --- futexes --- */

/* Returns the number of a record, from 1 on; 0: there is no room. */
static uint32_t add_instance(struct futex_program *p, uint64_t key, struct locks_instance i)
{
	if (p->n_instances == LOCKS_INSTANCES)
		return 0;
	p->instance =
		xgrow(p->instance, &p->cap_instances, p->n_instances + 1, sizeof *p->instance);
	p->instance[p->n_instances++] = i;
	hash_put(&p->by_address, key, futex_number_to_value(p->n_instances));
	return (uint32_t)p->n_instances;
}

/* Returns the number of the record that all further futexes of a caller share; 0: there is no room.
 */
static uint32_t find_shared(struct futex_program *p, uint64_t caller)
{
	/* Addresses of futexes are even. */
	const uint64_t key = caller << 1 | 1;
	const size_t number = futex_value_to_number(hash_get(&p->by_address, key));

	return number ? (uint32_t)number
		      : add_instance(p, key,
				     (struct locks_instance){.first_caller = caller,
							     .generation = 1,
							     .kind = LOCKS_FUTEX,
							     .several = 1});
}

/* Returns the number of the record of a futex; 0: there is no room. */
static uint32_t find_instance(struct futex_program *p, const struct futex_operation *o,
			      uint64_t caller)
{
	const size_t number =
		o->is_vector ? 0 : futex_value_to_number(hash_get(&p->by_address, o->address));

	if (number)
		return (uint32_t)number;
	if (o->is_vector || p->n_instances >= LOCKS_SINGLE)
		return find_shared(p, caller);
	return add_instance(
		p, o->address,
		(struct locks_instance){
			.address = o->address,
			.layer = locks_place_layer(map_records_place(&p->maps, o->address)),
			.first_caller = caller,
			.generation = 1,
			.kind = LOCKS_FUTEX,
			.memory = map_records_memory(&p->maps, o->address)});
}

/* --- records of waits --- */

static bool is_same_wait(const struct locks_wait *a, const struct locks_wait *b)
{
	return a->instance == b->instance && a->holder == b->holder && a->n_frames == b->n_frames &&
	       !memcmp(a->frame, b->frame, a->n_frames * sizeof *a->frame);
}

/* Returns the record that equals w in all but its numbers; record 0 if there is no room. */
static struct locks_wait *find_wait(struct futex_program *p, const struct locks_wait *w)
{
	const uint64_t key = hash_text((const char *)w, offsetof(struct locks_wait, frame) +
								w->n_frames * sizeof *w->frame);
	const size_t first = futex_value_to_number(hash_get(&p->by_wait, key));

	for (size_t i = first; i; i = p->next_wait[i])
		if (is_same_wait(&p->wait[i], w))
			return &p->wait[i];
	if (p->n_waits == LOCKS_WAITS)
		return &p->wait[0];
	p->wait = xgrow(p->wait, &p->cap_waits, p->n_waits + 1, sizeof *p->wait);
	p->next_wait = xgrow(p->next_wait, &p->cap_next, p->n_waits + 1, sizeof *p->next_wait);
	p->wait[p->n_waits] = *w;
	p->next_wait[p->n_waits] = (uint32_t)first;
	hash_put(&p->by_wait, key, futex_number_to_value(p->n_waits));
	return &p->wait[p->n_waits++];
}

static void add_wait(struct futex_program *p, const struct futex_pair *pair, uint32_t instance,
		     uint64_t caller, uint64_t ticks)
{
	const struct locks_instance *of = &p->instance[instance - 1];
	const uint32_t n = p->stacks ? pair->enter->call.n_frames : 1;
	struct locks_wait key, *found;

	memset(&key, 0, sizeof key);
	key.instance = instance;
	key.holder = of->several ? 0 : of->waker;
	key.frame[0] = caller;
	for (key.n_frames = 1; key.n_frames < n && key.n_frames < LOCKS_FRAMES; key.n_frames++)
		key.frame[key.n_frames] =
			map_records_place(&p->maps, pair->enter->call.frame[key.n_frames]);
	found = find_wait(p, &key);
	found->n++;
	found->ticks += ticks;
}

/* --- calls --- */

static uint64_t caller_of(struct futex_program *p, const struct syscall_record *enter)
{
	return enter->call.n_frames ? map_records_place(&p->maps, enter->call.frame[0]) : 0;
}

static void add_failure(struct locks_row *row, int64_t result, uint64_t ticks)
{
	row->failed++;
	row->lost += ticks;
	row->futex.timeouts += result == -ETIMEDOUT;
	row->futex.changed += result == -EAGAIN;
	row->futex.interrupted += result == -EINTR;
}

static void add_success(struct locks_row *row, bool inherits, uint64_t ticks)
{
	locks_quantity_add(&row->phase[LOCKS_ACQUIRE], ticks);
	row->contended++;
	row->waited += ticks;
	row->futex.inheriting += inherits;
}

static void add_wake(struct locks_row *row, int64_t result, uint64_t ticks)
{
	locks_quantity_add(&row->phase[LOCKS_RELEASE], ticks);
	row->futex.woken += result < 0 ? 0 : (uint64_t)result;
	row->futex.use[LOCKS_BROADCASTS] += result > 1;
}

static void add_to_row(struct futex_program *p, const struct futex_pair *pair,
		       struct locks_row *row)
{
	const uint64_t ticks = futex_program_ticks(p, pair->end_ns - pair->begin_ns);

	if (pair->operation.role == FUTEX_ROLE_WAKE) {
		add_wake(row, pair->result, ticks);
		return;
	}
	if (pair->began_before) {
		row->lost += ticks;
		return;
	}
	if (pair->under_way) {
		row->n_under_way++;
		row->under_way += ticks;
	} else if (pair->result < 0) {
		add_failure(row, pair->result, ticks);
	} else {
		add_success(row, pair->operation.inherits, ticks);
	}
	if (!p->is_live && (pair->under_way || pair->result >= 0))
		add_wait(p, pair, row->instance, row->caller, ticks);
}

/* Returns whether a futex belongs to the preloaded object, which waits for its own lock. */
static bool is_own(const struct futex_program *p, uint64_t address)
{
	const struct locks_module *m = map_records_find(&p->maps, address);
	const char *name = m ? strrchr(m->path, '/') : NULL;

	return name && !strcmp(name, "/tiptop-locks.so");
}

void futex_program_begin(struct futex_program *p, const struct syscall_record *enter)
{
	long argument[SYSCALL_ARGUMENTS];
	struct futex_operation o;
	uint32_t number;

	for (int i = 0; i < SYSCALL_ARGUMENTS; i++)
		argument[i] = (long)enter->call.argument[i];
	o = futex_operation_of((long)enter->call.number, argument);
	futex_program_thread(p, enter->task, enter->time_ns);
	if (o.role != FUTEX_ROLE_WAKE || o.is_vector || is_own(p, o.address))
		return;
	number = find_instance(p, &o, caller_of(p, enter));
	if (number && !p->instance[number - 1].several)
		p->instance[number - 1].waker = caller_of(p, enter);
}

void futex_program_add(struct futex_program *p, const struct futex_pair *pair)
{
	struct futex_thread *t;
	uint64_t caller;
	uint32_t number;

	if (is_own(p, pair->operation.address))
		return;
	caller = caller_of(p, pair->enter);
	p->n_calls++;
	p->first_caller = p->first_caller ? p->first_caller : caller;
	number = pair->operation.role == FUTEX_ROLE_NONE
			 ? 0
			 : find_instance(p, &pair->operation, caller);
	if (!number ||
	    ((pair->under_way || pair->began_before) && pair->operation.role == FUTEX_ROLE_WAKE)) {
		p->n_left_out++;
		return;
	}
	t = futex_program_thread(p, pair->task, pair->begin_ns);
	add_to_row(p, pair, futex_rows_get(&t->rows, number, caller));
}

/* --- threads --- */

struct futex_thread *futex_program_thread(struct futex_program *p, pid_t tid, uint64_t begin_ns)
{
	struct futex_thread *t = hash_get(&p->threads, (uint64_t)tid);

	if (t)
		return t;
	t = xcalloc(1, sizeof *t);
	t->past = (struct locks_past){.tid = (uint32_t)tid,
				      .number = ++p->n_threads,
				      .begin = futex_program_ticks(p, begin_ns)};
	memcpy(t->past.name, p->name, sizeof t->past.name);
	hash_put(&p->threads, (uint64_t)tid, t);
	return t;
}

/* Returns the number of waits of a row, and their time. */
static uint64_t sum_waits(const struct locks_row *row, uint64_t *ticks)
{
	*ticks = row->waited + row->lost + row->under_way;
	return row->contended + row->failed + row->n_under_way;
}

/* Adds the rows of a thread, sorted by futex, to those of the exited threads. */
static void end_rows(struct futex_program *p, struct futex_thread *t)
{
	uint64_t ticks;

	for (size_t i = 0; i < t->rows.n; i++) {
		const struct locks_row *row = &t->rows.row[i];
		const uint64_t n = sum_waits(row, &ticks);
		struct locks_row *sum = futex_rows_get(&p->ended, row->instance, row->caller);

		locks_row_add(sum, row);
		t->past.ticks[LOCKS_WAITING] += ticks;
		t->past.sched.waited[LOCKS_FUTEX] += ticks;
		t->past.sched.total[LOCKS_BLOCKS] += n;
		if (!n || p->is_live)
			continue;
		p->share = xgrow(p->share, &p->cap_shares, p->n_shares + 1, sizeof *p->share);
		p->share[p->n_shares++] =
			(struct futex_share){t->past.tid, row->instance, n, ticks};
	}
}

void futex_program_end_thread(struct futex_program *p, pid_t tid, uint64_t end_ns)
{
	struct futex_thread *t = hash_remove(&p->threads, (uint64_t)tid);
	struct locks_past *past;

	if (!t)
		return;
	past = &t->past;
	past->end = futex_program_ticks(p, end_ns);
	for (size_t i = 0; i < t->rows.n; i++)
		t->rows.row[i].slot = SLOT;
	array_sort(t->rows.row, t->rows.n, sizeof *t->rows.row, locks_report_compare_rows);
	uses_add_handed(t->rows.row, t->rows.n);
	end_rows(p, t);
	past->ticks[LOCKS_FREE] = locks_minus(past->end - past->begin, past->ticks[LOCKS_WAITING]);
	if (!p->is_live) {
		p->past = xgrow(p->past, &p->cap_pasts, p->n_pasts + 1, sizeof *p->past);
		p->past[p->n_pasts++] = *past;
	}
	free_thread(t);
}

void futex_program_end(struct futex_program *p, uint64_t end_ns)
{
	size_t pos = 0;
	struct futex_thread *t;

	p->end_ns = end_ns;
	while ((t = hash_next(&p->threads, &pos))) {
		futex_program_end_thread(p, (pid_t)t->past.tid, end_ns);
		pos = 0;
	}
}

/* --- rows of a running program --- */

static void add_rows(struct futex_rows *to, const struct futex_rows *from)
{
	for (size_t i = 0; i < from->n; i++)
		locks_row_add(futex_rows_get(to, from->row[i].instance, from->row[i].caller),
			      &from->row[i]);
}

/* Adds a wait that is under way. */
static void add_open(struct futex_program *p, const struct futex_pair *pair, struct futex_rows *to)
{
	const uint64_t caller = caller_of(p, pair->enter);
	uint32_t number;

	if (pair->operation.role != FUTEX_ROLE_WAIT || is_own(p, pair->operation.address))
		return;
	number = find_instance(p, &pair->operation, caller);
	if (number)
		add_to_row(p, pair, futex_rows_get(to, number, caller));
}

void futex_program_sum_rows(struct futex_program *p, const struct futex_pairs *pairs,
			    uint64_t now_ns, struct futex_rows *all)
{
	const struct futex_thread *t;
	struct futex_pair open;
	size_t pos = 0;

	add_rows(all, &p->ended);
	while ((t = hash_next(&p->threads, &pos))) {
		add_rows(all, &t->rows);
		if (futex_pairs_find_open(pairs, (pid_t)t->past.tid, now_ns, &open))
			add_open(p, &open, all);
	}
}

/* ---- map_records ---- */

/* A part of a file begins at most this many bytes after the end of the parts before it. */
#define GAP_MAX ((uint64_t)16 << 20)

void map_records_init(struct map_records *m)
{
	*m = (struct map_records){.n = 0};
}

void map_records_done(struct map_records *m)
{
	free(m->map);
	map_records_init(m);
}

void map_records_copy(struct map_records *to, const struct map_records *from)
{
	to->map = xgrow(to->map, &to->cap, from->n, sizeof *to->map);
	if (from->n)
		memcpy(to->map, from->map, from->n * sizeof *to->map);
	to->n = from->n;
	to->n_left_out = from->n_left_out;
	for (size_t i = 0; i < to->n; i++)
		to->map[i].noted = false;
}

static bool overlaps(const struct locks_module *m, uint64_t begin, uint64_t end)
{
	return m->begin < end && begin < m->end;
}

static bool is_same_file(const struct locks_module *m, uint64_t inode, const char *path)
{
	return m->inode == inode && !strncmp(m->path, path, sizeof m->path - 1);
}

/* Returns the newest record of this file that is still mapped; NULL: none. */
static struct map_record *find_last(const struct map_records *m, uint64_t inode, const char *path)
{
	for (size_t i = m->n; i-- > 0;)
		if (!m->map[i].module.gone && is_same_file(&m->map[i].module, inode, path))
			return &m->map[i];
	return NULL;
}

/* Returns whether a further part of the file extends its module. */
static bool extends(const struct map_record *last, const struct syscall_record *record)
{
	const struct locks_module *m = &last->module;
	const uint64_t begin = record->map.begin;

	if (last->is_shared || record->map.is_shared)
		return last->is_shared == record->map.is_shared &&
		       begin - record->map.offset == last->origin && begin <= m->end &&
		       begin + record->map.size >= last->first;
	return begin >= m->begin && begin <= m->end + GAP_MAX &&
	       (record->map.offset || begin < m->end);
}

/* Private memory has replaced shared memory at these addresses. */
static void remove_shared(const struct map_records *m, uint64_t begin, uint64_t end)
{
	for (size_t i = 0; i < m->n; i++)
		if (m->map[i].is_shared && m->map[i].first < end && begin < m->map[i].module.end)
			m->map[i].module.gone = 1;
}

/* Memory without a file right behind a file is its zero-initialized data. */
static void extend_data(const struct map_records *m, uint64_t begin, uint64_t end)
{
	for (size_t i = m->n; i-- > 0;)
		if (!m->map[i].module.gone && m->map[i].module.end == begin) {
			m->map[i].module.end = end;
			return;
		}
}

/* Removes the files at these addresses; those with noted places are kept as gone. Returns the layer
 * of what comes there. */
static uint32_t remove_below(struct map_records *m, uint64_t begin, uint64_t end)
{
	uint32_t layer = 0;
	size_t n = 0;

	for (size_t i = 0; i < m->n; i++) {
		struct map_record *old = &m->map[i];

		if (overlaps(&old->module, begin, end)) {
			old->module.gone = 1;
			if (!old->noted)
				continue;
			if (old->module.layer >= layer)
				layer = old->module.layer + 1;
		}
		m->map[n++] = *old;
	}
	m->n = n;
	return layer;
}

void map_records_add(struct map_records *m, const struct syscall_record *record)
{
	const uint64_t begin = record->map.begin, end = begin + record->map.size;
	const char *path = record->map.path;
	struct map_record *added, *same;
	uint32_t layer;

	if (end <= begin)
		return;
	if (path[0] != '/' || !record->map.inode) {
		remove_shared(m, begin, end);
		extend_data(m, begin, end);
		return;
	}
	same = find_last(m, record->map.inode, path);
	if (same && extends(same, record)) {
		same->module.end = end > same->module.end ? end : same->module.end;
		same->first = begin < same->first ? begin : same->first;
		return;
	}
	layer = remove_below(m, begin, end);
	if (m->n == MAP_RECORDS_MAX || layer >= LOCKS_LAYERS) {
		m->n_left_out++;
		return;
	}
	m->map = xgrow(m->map, &m->cap, m->n + 1, sizeof *m->map);
	added = &m->map[m->n++];
	*added = (struct map_record){.module = {.begin = begin - record->map.offset,
						.end = end,
						.inode = record->map.inode,
						.layer = layer},
				     .device = record->map.device,
				     .first = begin,
				     .origin = begin - record->map.offset,
				     .is_shared = record->map.is_shared};
	if (record->map.offset > begin)
		added->module.begin = begin;
	snprintf(added->module.path, sizeof added->module.path, "%s", path);
	text_sanitize(added->module.path, '?');
}

static struct map_record *find(const struct map_records *m, uint64_t address)
{
	for (size_t i = m->n; i-- > 0;) {
		const struct locks_module *module = &m->map[i].module;

		if (!module->gone && address >= module->begin && address < module->end)
			return &m->map[i];
	}
	return NULL;
}

const struct locks_module *map_records_find(const struct map_records *m, uint64_t address)
{
	const struct map_record *found = find(m, address);

	return found ? &found->module : NULL;
}

struct locks_memory map_records_memory(const struct map_records *m, uint64_t address)
{
	for (size_t i = m->n; i-- > 0;) {
		const struct map_record *r = &m->map[i];

		if (r->is_shared && !r->module.gone && address >= r->first &&
		    address < r->module.end)
			return (struct locks_memory){.device = r->device,
						     .inode = r->module.inode,
						     .offset = address - r->origin};
	}
	return (struct locks_memory){.inode = 0};
}

uint64_t map_records_place(struct map_records *m, uint64_t address)
{
	struct map_record *found = find(m, locks_place_address(address));
	uint32_t layer = 0;

	address = locks_place_address(address);
	if (found) {
		found->noted = true;
		return locks_place(address, found->module.layer);
	}
	for (size_t i = 0; i < m->n; i++)
		if (overlaps(&m->map[i].module, address, address + 1) &&
		    m->map[i].module.layer >= layer)
			layer = m->map[i].module.layer + 1;
	return locks_place(address, layer);
}

/* ---- futex_rows ---- */

struct locks_row *futex_rows_get(struct futex_rows *r, uint32_t instance, uint64_t caller)
{
	const uint64_t key = caller * 0x9e3779b97f4a7c15 ^ instance;
	const size_t first = futex_value_to_number(hash_get(&r->by_key, key));

	for (size_t i = first; i; i = r->row[i - 1].next)
		if (r->row[i - 1].instance == instance && r->row[i - 1].caller == caller)
			return &r->row[i - 1];
	r->row = xgrow(r->row, &r->cap, r->n + 1, sizeof *r->row);
	r->row[r->n++] =
		(struct locks_row){.instance = instance, .caller = caller, .next = (uint32_t)first};
	hash_put(&r->by_key, key, futex_number_to_value(r->n));
	return &r->row[r->n - 1];
}

void futex_rows_done(struct futex_rows *r)
{
	free(r->row);
	hash_done(&r->by_key);
	*r = (struct futex_rows){.n = 0};
}

/* ---- futex_pairs ---- */

/* The first of the kernel's own numbers for calls that a signal has interrupted: ERESTARTSYS. */
#define FIRST_RESTART 512

/* The call of a thread. */
struct call {
	enum { CALL_OPEN, CALL_STOPPED } state; /* STOPPED: a signal has interrupted it */
	uint64_t end_ns;                        /* of a stopped call */
	bool in_loss;                           /* records may have been lost when it began */
	uint64_t n_losses;                      /* of futex_pairs when it began */
	struct syscall_record enter;
};

struct futex_pairs {
	futex_pairs_visit *visit;
	void *context;
	struct hash calls; /* by tid */
	uint64_t n_losses, lost_until_ns;
	struct futex_pairs_numbers numbers;
};

struct futex_pairs *futex_pairs_new(futex_pairs_visit *visit, void *context)
{
	struct futex_pairs *p = xcalloc(1, sizeof *p);

	*p = (struct futex_pairs){.visit = visit, .context = context, .calls = HASH_INIT};
	return p;
}

static struct futex_operation operation_of(const struct syscall_record *enter)
{
	long argument[SYSCALL_ARGUMENTS];

	for (int i = 0; i < SYSCALL_ARGUMENTS; i++)
		argument[i] = (long)enter->call.argument[i];
	return futex_operation_of((long)enter->call.number, argument);
}

static struct futex_pair pair_of(const struct call *c, uint64_t end_ns)
{
	return (struct futex_pair){
		.process = c->enter.process,
		.task = c->enter.task,
		.begin_ns = c->enter.time_ns,
		.end_ns = end_ns > c->enter.time_ns ? end_ns : c->enter.time_ns,
		.operation = operation_of(&c->enter),
		.began_before = c->enter.call.began_before,
		.enter = &c->enter,
	};
}

/* Returns whether no record of the call was lost. */
static bool is_whole(const struct futex_pairs *p, const struct call *c)
{
	return c->n_losses == p->n_losses && !c->in_loss;
}

/* Visits the pair of a call and its end, and frees the call. */
static void finish(struct futex_pairs *p, struct call *c, uint64_t end_ns, int64_t result,
		   bool under_way)
{
	struct futex_pair pair = pair_of(c, end_ns);

	pair.under_way = under_way;
	pair.result = under_way ? 0 : result;
	if (is_whole(p, c))
		p->visit(p->context, &pair);
	else
		p->numbers.n_unpaired++;
	free(c);
}

/* Frees a call whose end is unknown. */
static void drop(struct futex_pairs *p, struct call *c)
{
	p->numbers.n_unpaired++;
	free(c);
}

static struct call *remove_call(struct futex_pairs *p, pid_t task)
{
	return hash_remove(&p->calls, (uint64_t)task);
}

/* Ends the call of a thread that does something else now. A call that a signal has interrupted is
 * over; the end of another one was lost. */
static void pass(struct futex_pairs *p, pid_t task)
{
	struct call *c = remove_call(p, task);

	if (c && c->state == CALL_STOPPED)
		finish(p, c, c->end_ns, -EINTR, false);
	else if (c)
		drop(p, c);
}

/* Forgets the call in which the thread was seen, if this record is older: the thread was not in
 * that call since the beginning of the records. */
static void forget_seen(struct futex_pairs *p, const struct syscall_record *record)
{
	struct call *c = hash_get(&p->calls, (uint64_t)record->task);

	if (!c || !c->enter.call.began_before || record->time_ns > c->enter.time_ns)
		return;
	free(remove_call(p, record->task));
	p->numbers.n_calls--;
}

static void enter(struct futex_pairs *p, const struct syscall_record *record)
{
	struct call *c;

	forget_seen(p, record);
	pass(p, record->task);
	c = xmalloc(sizeof *c);
	*c = (struct call){.state = CALL_OPEN,
			   .in_loss = record->time_ns <= p->lost_until_ns,
			   .n_losses = p->n_losses,
			   .enter = *record};
	hash_put(&p->calls, (uint64_t)record->task, c);
	p->numbers.n_calls++;
}

static void leave(struct futex_pairs *p, const struct syscall_record *record)
{
	struct call *c;

	forget_seen(p, record);
	c = hash_get(&p->calls, (uint64_t)record->task);
	if (!c || c->state == CALL_STOPPED || c->enter.call.number != record->call.number) {
		pass(p, record->task);
		p->numbers.n_calls++;
		p->numbers.n_unpaired++;
	} else if (record->call.result <= -FIRST_RESTART) {
		c->state = CALL_STOPPED;
		c->end_ns = record->time_ns;
	} else {
		remove_call(p, record->task);
		finish(p, c, record->time_ns, record->call.result, false);
	}
}

/* Ends the call of a thread that exits: it is still under way. */
static void end(struct futex_pairs *p, const struct syscall_record *record)
{
	struct call *c = remove_call(p, record->task);

	if (c)
		finish(p, c, c->state == CALL_STOPPED ? c->end_ns : record->time_ns, 0, true);
}

void futex_pairs_add(struct futex_pairs *p, const struct syscall_record *record)
{
	switch (record->what) {
	case SYSCALLS_ENTER:
		if (futex_is_call((long)record->call.number))
			enter(p, record);
		break;
	case SYSCALLS_EXIT:
		if (futex_is_call((long)record->call.number))
			leave(p, record);
		break;
	case SYSCALLS_END:
		end(p, record);
		break;
	case SYSCALLS_FORK: /* a thread with this id has exited unseen */
	case SYSCALLS_EXEC:
		pass(p, record->task);
		break;
	case SYSCALLS_LOST:
		p->n_losses++;
		if (record->until_ns > p->lost_until_ns)
			p->lost_until_ns = record->until_ns;
		break;
	case SYSCALLS_NAME:
	case SYSCALLS_MAP:
		break;
	}
}

bool futex_pairs_find_open(const struct futex_pairs *p, pid_t task, uint64_t now_ns,
			   struct futex_pair *out)
{
	const struct call *c = hash_get(&p->calls, (uint64_t)task);

	if (!c || c->state == CALL_STOPPED || !is_whole(p, c))
		return false;
	*out = pair_of(c, now_ns);
	out->under_way = true;
	return true;
}

void futex_pairs_end(struct futex_pairs *p, uint64_t now_ns)
{
	struct call *c;
	size_t pos = 0;

	while ((c = hash_next(&p->calls, &pos)))
		finish(p, c, c->state == CALL_STOPPED ? c->end_ns : now_ns, 0, true);
	hash_done(&p->calls);
	p->calls = (struct hash)HASH_INIT;
}

struct futex_pairs_numbers futex_pairs_numbers(const struct futex_pairs *p)
{
	return p->numbers;
}

void futex_pairs_free(struct futex_pairs *p)
{
	struct call *c;
	size_t pos = 0;

	if (!p)
		return;
	while ((c = hash_next(&p->calls, &pos)))
		free(c);
	hash_done(&p->calls);
	free(p);
}
