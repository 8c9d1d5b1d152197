/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "profile/locks/futex_program.h"

#include <errno.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "base/lookup.h"
#include "base/mem.h"
#include "profile/locks/estimate.h"
#include "profile/locks/report.h"
#include "profile/locks/uses.h"

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

/* Returns the number of the record that all further futexes of a caller share. */
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
	return add_instance(p, o->address,
			    (struct locks_instance){.address = o->address,
						    .layer = locks_place_layer(map_records_place(
							    &p->maps, o->address)),
						    .first_caller = caller,
						    .generation = 1,
						    .kind = LOCKS_FUTEX});
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
	if (pair->under_way) {
		row->n_under_way++;
		row->under_way += ticks;
	} else if (pair->result < 0) {
		add_failure(row, pair->result, ticks);
	} else {
		add_success(row, pair->operation.inherits, ticks);
	}
	if (pair->under_way || pair->result >= 0)
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
	if (!number || (pair->under_way && pair->operation.role == FUTEX_ROLE_WAKE)) {
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
		if (!n)
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
	p->past = xgrow(p->past, &p->cap_pasts, p->n_pasts + 1, sizeof *p->past);
	p->past[p->n_pasts++] = *past;
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
