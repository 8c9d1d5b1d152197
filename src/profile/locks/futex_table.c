/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "profile/locks/futex_table.h"

#include <stdlib.h>
#include <string.h>

#include "base/lookup.h"
#include "base/mem.h"
#include "inject/preload/futex_operation.h"
#include "profile/locks/futex_program.h"

/* The end of a program whose process has executed another one. */
struct execution {
	pid_t pid;
	uint64_t begin_ns, end_ns; /* of the program that ended, CLOCK_MONOTONIC */
};

struct futex_table {
	struct futex_table_options options;
	struct futex_pairs *pairs;
	struct execution *execution; /* [n_executions] */
	size_t n_executions, cap_executions;
	struct hash running;            /* struct futex_program, by pid */
	struct futex_program **program; /* [n] ended, with calls */
	size_t n, cap;
};

static void take_pair(void *context, const struct futex_pair *pair);

struct futex_table *futex_table_new(const struct futex_table_options *o)
{
	struct futex_table *t = xcalloc(1, sizeof *t);

	t->options = *o;
	t->pairs = futex_pairs_new(take_pair, t);
	return t;
}

void futex_table_free(struct futex_table *t)
{
	size_t pos = 0;
	void *p;

	if (!t)
		return;
	while ((p = hash_next(&t->running, &pos)))
		futex_program_free(p);
	hash_done(&t->running);
	for (size_t i = 0; i < t->n; i++)
		futex_program_free(t->program[i]);
	free(t->program);
	free(t->execution);
	futex_pairs_free(t->pairs);
	free(t);
}

static bool is_wanted(const struct futex_table *t, pid_t pid)
{
	return t->options.all || pid == t->options.command;
}

static struct futex_program *new_program(const struct futex_table *t, pid_t pid, uint64_t begin_ns,
					 const struct map_records *maps)
{
	struct futex_program *p =
		futex_program_new(pid, t->options.ns_per_tick, t->options.stacks, begin_ns, maps);

	p->is_live = t->options.live;
	return p;
}

/* Returns the program that a process runs; NULL: it is not watched. A process whose beginning was
 * lost begins now. */
static struct futex_program *find_running(struct futex_table *t, pid_t pid, uint64_t now_ns)
{
	struct futex_program *p = hash_get(&t->running, (uint64_t)pid);

	if (p || !is_wanted(t, pid))
		return p;
	p = new_program(t, pid, now_ns, NULL);
	hash_put(&t->running, (uint64_t)pid, p);
	return p;
}

static void take_pair(void *context, const struct futex_pair *pair)
{
	struct futex_program *p = find_running(context, pair->process, pair->begin_ns);

	if (p)
		futex_program_add(p, pair);
}

/* Ends the program of a process. Keeps it if it has calls, or if it is the last one of the command:
 * the report then says that it has none. A program whose rows were read is kept in any case. */
static void end_program(struct futex_table *t, struct futex_program *p, uint64_t now_ns)
{
	futex_program_end(p, now_ns);
	if (!t->options.live && !p->n_calls && (p->has_executed || p->pid != t->options.command)) {
		futex_program_free(p);
		return;
	}
	t->program = xgrow(t->program, &t->cap, t->n + 1, sizeof *t->program);
	t->program[t->n++] = p;
}

static void end_process(struct futex_table *t, pid_t pid, uint64_t now_ns)
{
	struct futex_program *p = hash_remove(&t->running, (uint64_t)pid);

	if (p)
		end_program(t, p, now_ns);
}

_Static_assert(LOCKS_NAME_MAX == SYSCALL_NAME_MAX, "both have the kernel's length");

static void set_name(struct futex_program *p, const struct syscall_record *r)
{
	struct futex_thread *thread;

	if (r->task == r->process)
		memcpy(p->name, r->name, sizeof p->name);
	thread = futex_program_thread(p, r->task, r->time_ns);
	memcpy(thread->past.name, r->name, sizeof thread->past.name);
}

/* Adds a new thread, or a new process, which has the memory and the name of its creator. */
static void fork_task(struct futex_table *t, const struct syscall_record *r)
{
	const struct futex_program *from = hash_get(&t->running, (uint64_t)r->creator_pid);
	struct futex_program *p;

	if (!is_wanted(t, r->process))
		return;
	if (r->process == r->creator_pid) {
		p = find_running(t, r->process, r->time_ns);
		futex_program_end_thread(p, r->task, r->time_ns);
	} else {
		end_process(t, r->process, r->time_ns);
		p = new_program(t, r->process, r->time_ns, from ? &from->maps : NULL);
		if (from)
			memcpy(p->name, from->name, sizeof p->name);
		hash_put(&t->running, (uint64_t)r->process, p);
	}
	futex_program_thread(p, r->task, r->time_ns);
}

static void note_execution(struct futex_table *t, struct futex_program *p, uint64_t now_ns)
{
	p->has_executed = true;
	if (t->options.live)
		return;
	t->execution =
		xgrow(t->execution, &t->cap_executions, t->n_executions + 1, sizeof *t->execution);
	t->execution[t->n_executions++] = (struct execution){p->pid, p->begin_ns, now_ns};
}

static void execute(struct futex_table *t, const struct syscall_record *r)
{
	struct futex_program *p;
	uint32_t n_before = 0;

	if (!is_wanted(t, r->process))
		return;
	p = hash_remove(&t->running, (uint64_t)r->process);
	if (p) {
		n_before = p->n_before + 1;
		note_execution(t, p, r->time_ns);
		end_program(t, p, r->time_ns);
	}
	p = find_running(t, r->process, r->time_ns);
	p->n_before = n_before;
	set_name(p, r);
}

/* The process ends with its last thread, which need not be its first one. */
static void end_task(struct futex_table *t, const struct syscall_record *r)
{
	struct futex_program *p = hash_get(&t->running, (uint64_t)r->process);

	if (!p)
		return;
	futex_program_end_thread(p, r->task, r->time_ns);
	if (!p->threads.n)
		end_process(t, r->process, r->time_ns);
}

void futex_table_add(struct futex_table *t, const struct syscall_record *r)
{
	struct futex_program *p;

	if (r->what == SYSCALLS_LOST || is_wanted(t, r->process))
		futex_pairs_add(t->pairs, r);
	switch (r->what) {
	case SYSCALLS_FORK:
		fork_task(t, r);
		break;
	case SYSCALLS_EXEC:
		execute(t, r);
		break;
	case SYSCALLS_NAME:
		p = is_wanted(t, r->process) ? find_running(t, r->process, r->time_ns) : NULL;
		if (p)
			set_name(p, r);
		break;
	case SYSCALLS_MAP:
		p = is_wanted(t, r->process) ? find_running(t, r->process, r->time_ns) : NULL;
		if (p)
			map_records_add(&p->maps, r);
		break;
	case SYSCALLS_ENTER:
		p = find_running(t, r->process, r->time_ns);
		if (p && futex_is_call((long)r->call.number))
			futex_program_begin(p, r);
		break;
	case SYSCALLS_END:
		end_task(t, r);
		break;
	case SYSCALLS_EXIT:
	case SYSCALLS_LOST:
		break;
	}
}

void futex_table_end(struct futex_table *t, uint64_t now_ns)
{
	struct futex_program *p;
	size_t pos = 0;

	futex_pairs_end(t->pairs, now_ns);
	while ((p = hash_next(&t->running, &pos)))
		end_program(t, p, now_ns);
	hash_done(&t->running);
	t->running = (struct hash)HASH_INIT;
}

size_t futex_table_n(const struct futex_table *t)
{
	return t->n;
}

struct futex_program *futex_table_program(const struct futex_table *t, size_t i)
{
	return t->program[i];
}

struct futex_program *futex_table_find(const struct futex_table *t, pid_t pid, uint64_t time_ns)
{
	for (size_t i = 0; i < t->n; i++)
		if (t->program[i]->pid == pid && t->program[i]->begin_ns <= time_ns &&
		    time_ns < t->program[i]->end_ns)
			return t->program[i];
	return NULL;
}

uint64_t futex_table_execution(const struct futex_table *t, pid_t pid, uint64_t time_ns)
{
	for (size_t i = 0; i < t->n_executions; i++)
		if (t->execution[i].pid == pid && t->execution[i].begin_ns <= time_ns &&
		    time_ns < t->execution[i].end_ns)
			return t->execution[i].end_ns;
	return 0;
}

uint64_t futex_table_n_calls(const struct futex_table *t)
{
	return futex_pairs_numbers(t->pairs).n_calls;
}

struct futex_program *futex_table_next_running(const struct futex_table *t, size_t *pos)
{
	return hash_next(&t->running, pos);
}

void futex_table_forget_ended(struct futex_table *t)
{
	for (size_t i = 0; i < t->n; i++)
		futex_program_free(t->program[i]);
	t->n = 0;
}

uint64_t futex_table_unpaired(const struct futex_table *t)
{
	return futex_pairs_numbers(t->pairs).n_unpaired;
}

/* ---- futex_copy ---- */

/* A copy, a program, and the numbers of the program's futexes in the copy. */
struct numbers {
	struct locks_copy *copy;
	const struct futex_program *program;
	uint32_t *instance; /* [program->n_instances] the numbers in the copy; 0: left out */
};

/* --- places --- */

/* Returns the module of the copy that is the same mapping; NULL: there is none. */
static const struct locks_module *find_module(const struct locks_copy *c,
					      const struct locks_module *m)
{
	for (uint32_t i = 0; i < c->header.n_modules; i++)
		if (c->module[i].inode == m->inode && c->module[i].begin < m->end &&
		    m->begin < c->module[i].end && !strcmp(c->module[i].path, m->path))
			return &c->module[i];
	return NULL;
}

/* Returns the layer above those of all modules of the copy at these addresses. */
static uint32_t next_layer(const struct locks_copy *c, uint64_t begin, uint64_t end)
{
	uint32_t layer = 0;

	for (uint32_t i = 0; i < c->header.n_modules; i++)
		if (c->module[i].begin < end && begin < c->module[i].end &&
		    c->module[i].layer >= layer)
			layer = c->module[i].layer + 1;
	return layer;
}

/* Adds the files in which places of the program lie. */
static void add_modules(struct locks_copy *c, const struct futex_program *p)
{
	c->module = xreallocarray(c->module, LOCKS_MODULES + 1, sizeof *c->module);
	for (size_t i = 0; i < p->maps.n; i++) {
		struct locks_module m = p->maps.map[i].module;

		if (!p->maps.map[i].noted || find_module(c, &m))
			continue;
		m.layer = next_layer(c, m.begin, m.end);
		if (c->header.n_modules == LOCKS_MODULES || m.layer >= LOCKS_LAYERS)
			c->header.n_nameless++;
		else
			c->module[c->header.n_modules++] = m;
	}
}

/* Returns a place with its layer in the copy. */
static uint64_t convert_place(const struct numbers *n, uint64_t place)
{
	const uint64_t address = locks_place_address(place);

	for (size_t i = 0; i < n->program->maps.n; i++) {
		const struct map_record *map = &n->program->maps.map[i];
		const struct locks_module *m = NULL;

		if (map->noted && map->module.layer == locks_place_layer(place) &&
		    address >= map->module.begin && address < map->module.end)
			m = find_module(n->copy, &map->module);
		if (m)
			return locks_place(address, m->layer);
	}
	return place ? locks_place(address, next_layer(n->copy, address, address + 1)) : 0;
}

/* --- futexes --- */

/* The most bytes of an object that has rows of another kind. */
#define OBJECT_MAX 64

/* Collects the futexes and objects of the copy by address. */
static void collect(struct hash *objects, const struct locks_copy *c)
{
	for (uint32_t i = 0; i < c->header.n_instances; i++)
		if (!c->instance[i].several)
			hash_put(objects, c->instance[i].address, &c->instance[i]);
}

/* Returns whether calls for several futexes came through syscall(2): the C library makes no such
 * calls for itself, and the object has rows for those of the program. */
static bool is_wrapped(const struct futex_program *p, const struct locks_instance *futex)
{
	const struct locks_module *m =
		map_records_find(&p->maps, locks_place_address(futex->first_caller));
	const char *name = m ? strrchr(m->path, '/') : NULL;

	return name && !strncmp(name, "/libc.so.", strlen("/libc.so."));
}

/* Returns whether the copy has rows for a futex already, or for the object that it is a part of. */
static bool is_covered(const struct numbers *n, const struct hash *objects,
		       const struct locks_instance *futex)
{
	if (futex->several)
		return !n->copy->kernel.alone && is_wrapped(n->program, futex);
	for (uint64_t offset = 0; offset < OBJECT_MAX; offset += 4) {
		const struct locks_instance *there = hash_get(objects, futex->address - offset);

		if (there && offset < futex_object_size((enum locks_kind)there->kind))
			return true;
	}
	return false;
}

static void add_instances(struct numbers *n)
{
	struct locks_copy *c = n->copy;
	const struct futex_program *p = n->program;
	const uint32_t before = c->header.n_instances;
	uint32_t *number = xcalloc(p->n_instances + 1, sizeof *number);
	uint32_t all = before;
	struct hash objects = HASH_INIT;

	collect(&objects, c);
	for (size_t i = 0; i < p->n_instances; i++)
		number[i] = is_covered(n, &objects, &p->instance[i]) ? 0 : 1;
	hash_done(&objects);
	c->instance = xreallocarray(c->instance, before + p->n_instances + 1, sizeof *c->instance);
	for (size_t i = 0; i < p->n_instances; i++) {
		struct locks_instance one = p->instance[i];

		if (!number[i])
			continue;
		one.first_caller = convert_place(n, one.first_caller);
		one.waker = convert_place(n, one.waker);
		one.layer =
			locks_place_layer(convert_place(n, locks_place(one.address, one.layer)));
		c->instance[all++] = one;
		number[i] = all;
	}
	c->header.n_instances = all;
	n->instance = number;
}

/* --- rows and waits --- */

/* Makes room for the counts of the rows, which have none. */
static void add_counts(struct locks_copy *c, size_t n_rows)
{
	const size_t each = c->header.n_events * LOCKS_PHASES;

	if (!each)
		return;
	c->row_counts =
		xgrow(c->row_counts, &c->cap_row_counts, n_rows * each, sizeof *c->row_counts);
	memset(&c->row_counts[c->n_rows * each], 0,
	       (n_rows - c->n_rows) * each * sizeof *c->row_counts);
}

static void add_rows(const struct numbers *n, const struct futex_rows *from)
{
	struct locks_copy *c = n->copy;

	add_counts(c, c->n_rows + from->n);
	c->row = xgrow(c->row, &c->cap_rows, c->n_rows + from->n + 1, sizeof *c->row);
	for (size_t i = 0; i < from->n; i++) {
		struct locks_row row = from->row[i];

		row.instance = n->instance[row.instance - 1];
		row.caller = convert_place(n, row.caller);
		row.next = (uint32_t)c->n_rows;
		if (row.instance)
			c->row[c->n_rows++] = row;
	}
}

static void add_waits(const struct numbers *n)
{
	struct locks_copy *c = n->copy;
	const struct futex_program *p = n->program;

	c->wait = xreallocarray(c->wait, c->header.n_waits + p->n_waits + 1, sizeof *c->wait);
	if (!c->header.n_waits)
		c->wait[c->header.n_waits++] = (struct locks_wait){.instance = 0};
	c->wait[0].n += p->wait[0].n;
	c->wait[0].ticks += p->wait[0].ticks;
	for (size_t i = 1; i < p->n_waits; i++) {
		struct locks_wait w = p->wait[i];

		w.instance = n->instance[w.instance - 1];
		if (!w.instance)
			continue;
		w.holder = convert_place(n, w.holder);
		for (uint32_t k = 0; k < w.n_frames; k++)
			w.frame[k] = convert_place(n, w.frame[k]);
		c->wait[c->header.n_waits++] = w;
	}
}

/* Adds the calls in the rows from first_row on, and those of the program that are in no row, to the
 * sum of the exited threads. */
static void add_numbers(const struct numbers *n, size_t first_row)
{
	struct locks_copy *c = n->copy;
	const struct futex_program *p = n->program;
	uint64_t calls = p->n_left_out;

	for (size_t i = first_row; i < c->n_rows; i++) {
		const struct locks_row *row = &c->row[i];

		calls += locks_n(row, LOCKS_ACQUIRE) + locks_n(row, LOCKS_RELEASE) + row->failed +
			 row->n_under_way;
	}
	c->thread[0].n_futex += calls;
	c->thread[0].n_futex_left_out += p->n_left_out;
	if (!c->header.futex_caller)
		c->header.futex_caller = convert_place(n, p->first_caller);
}

/* Adds everything of a program but its threads. */
static struct numbers add_all(struct locks_copy *c, const struct futex_program *p)
{
	struct numbers n = {.copy = c, .program = p};
	const size_t first_row = c->n_rows;

	c->kernel.used = true;
	add_modules(c, p);
	add_instances(&n);
	add_rows(&n, &p->ended);
	add_waits(&n);
	add_numbers(&n, first_row);
	return n;
}

/* --- threads of a program that was not measured otherwise --- */

static void add_past(struct locks_copy *c, const struct locks_past *past)
{
	struct locks_thread *sum = &c->thread[0];

	for (int s = 0; s < LOCKS_STATES; s++)
		sum->ticks[s] += past->ticks[s];
	locks_sched_add(&sum->sched, &past->sched);
	if (c->header.n_pasts < LOCKS_EXITED_MAX)
		c->past[c->header.n_pasts++] = *past;
}

/* Sets the header, and the sum of the exited threads, n, to 0. */
static void begin_copy(struct locks_copy *c, const struct futex_program *p, uint32_t n)
{
	c->header = (struct locks_header){
		.container = {.pid = (uint32_t)p->pid},
		.ns_per_tick = p->ns_per_tick,
		.begin = futex_program_ticks(p, p->begin_ns),
		.end = futex_program_ticks(p, p->end_ns),
		.n_threads = n,
		.n_ended = n,
		.n_nameless = p->maps.n_left_out,
		.sample = 1,
	};
	c->thread = xgrow(c->thread, &c->cap_threads, LOCKS_SLOTS, sizeof *c->thread);
	memset(&c->thread[0], 0, sizeof c->thread[0]);
	c->n_threads = 1;
	c->kernel.alone = true;
}

void futex_copy_make(struct locks_copy *c, const struct futex_program *p)
{
	const uint32_t n = (uint32_t)p->n_pasts;

	begin_copy(c, p, n);
	c->past = xreallocarray(c->past, n + 1, sizeof *c->past);
	for (uint32_t i = 0; i < n; i++)
		add_past(c, &p->past[i]);
	free(add_all(c, p).instance);
}

void futex_copy_make_live(struct locks_copy *c, const struct futex_table *t,
			  struct futex_program *p, uint64_t now_ns)
{
	struct numbers n = {.copy = c, .program = p};
	struct futex_rows rows = {.n = 0};

	futex_program_sum_rows(p, t->pairs, now_ns, &rows);
	begin_copy(c, p, 0);
	c->kernel.used = true;
	add_modules(c, p);
	add_instances(&n);
	add_rows(&n, &rows);
	free(n.instance);
	futex_rows_done(&rows);
}

/* --- threads that the object has measured --- */

/* The times of a thread in a copy. */
struct times {
	uint64_t *ticks;
	struct locks_sched *sched;
};

/* Moves the time of n waits of a thread from LOCKS_FREE to LOCKS_WAITING: the object did not see
 * these waits, except as calls of pthread_join(3), whose futex is not in the table. */
static void move(struct times to, uint64_t n, uint64_t ticks)
{
	uint64_t *joins = &to.sched->blocked[LOCKS_TASK];
	const uint64_t least = ticks < to.ticks[LOCKS_FREE] ? ticks : to.ticks[LOCKS_FREE];

	to.ticks[LOCKS_FREE] -= least;
	to.ticks[LOCKS_WAITING] += least;
	to.sched->waited[LOCKS_FUTEX] += ticks;
	to.sched->total[LOCKS_BLOCKS] += n;
	*joins -= ticks < *joins ? ticks : *joins;
}

/* Counts the time of a thread in the state LOCKS_FREE up to the end. */
static void settle(struct locks_thread *t, uint64_t end)
{
	if (t->state != LOCKS_FREE || end <= t->since)
		return;
	t->ticks[LOCKS_FREE] += end - t->since;
	t->since = end;
}

static void move_waits(struct locks_copy *c, uint32_t tid, uint64_t n, uint64_t ticks)
{
	struct locks_thread *all = &c->thread[0];

	for (size_t i = 1; i < c->n_threads; i++)
		if (c->thread[i].tid == tid) {
			move((struct times){c->thread[i].ticks, &c->thread[i].sched}, n, ticks);
			return;
		}
	for (uint32_t i = 0; i < c->header.n_pasts; i++)
		if (c->past[i].tid == tid) {
			move((struct times){c->past[i].ticks, &c->past[i].sched}, n, ticks);
			move((struct times){all->ticks, &all->sched}, n, ticks);
			return;
		}
}

void futex_copy_merge(struct locks_copy *c, const struct futex_program *p, uint64_t end)
{
	struct numbers n;

	end = c->header.end ? c->header.end : end;
	for (size_t i = 1; i < c->n_threads; i++)
		settle(&c->thread[i], end);
	n = add_all(c, p);
	for (size_t i = 0; i < p->n_shares; i++) {
		const struct futex_share *share = &p->share[i];

		if (n.instance[share->instance - 1])
			move_waits(c, share->tid, share->n, share->ticks);
	}
	free(n.instance);
}
