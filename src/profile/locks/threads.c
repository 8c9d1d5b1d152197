/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "profile/locks/threads.h"

#include <stdlib.h>

#include "base/lookup.h"
#include "base/mem.h"
#include "profile/locks/estimate.h"

/* Sorts by thread, then by lock. */
static int compare_rows(const void *a, const void *b)
{
	const struct locks_row *x = a, *y = b;

	if (x->slot != y->slot)
		return x->slot < y->slot ? -1 : 1;
	return (x->instance > y->instance) - (x->instance < y->instance);
}

static int compare_threads(const void *a, const void *b)
{
	const struct thread_locks *x = a, *y = b;

	if (x->ticks[LOCKS_WAITING] != y->ticks[LOCKS_WAITING])
		return x->ticks[LOCKS_WAITING] < y->ticks[LOCKS_WAITING] ? 1 : -1;
	return (x->number > y->number) - (x->number < y->number);
}

static void make_states(struct thread_locks *one, const struct locks_copy *c,
			const struct locks_report *r, const struct locks_sched *s)
{
	states_make(&one->states, s, 1, one->time, c->header.ns_per_tick, &r->shares);
}

static void add_past(struct locks_threads *t, const struct locks_copy *c,
		     const struct locks_report *r, const struct locks_past *p)
{
	struct thread_locks *one = &t->v[t->n++];

	*one = (struct thread_locks){
		.tid = p->tid,
		.number = p->number,
		.name = p->name,
		.n = 1,
		.begin = p->begin,
		.end = p->end,
		.time = locks_sum_states(p->ticks),
		.acquisitions = p->acquisitions,
		.instances = p->instances,
		.at_least = p->at_least,
	};
	for (int s = 0; s < LOCKS_STATES; s++)
		one->ticks[s] = p->ticks[s];
	make_states(one, c, r, &p->sched);
}

/* Adds the n rows of a thread. A record that several locks share counts as one lock, which is a
 * lower bound. */
static void add_rows(struct thread_locks *one, const struct locks_copy *c,
		     const struct locks_row *rows, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		const struct locks_instance *instance = &c->instance[rows[i].instance - 1];

		if (!locks_is_held((enum locks_kind)instance->kind))
			continue;
		one->acquisitions += locks_n(&rows[i], LOCKS_ACQUIRE);
		if (i && rows[i].instance == rows[i - 1].instance)
			continue;
		one->instances++;
		one->at_least |= instance->several;
	}
}

static void add_living(struct locks_threads *t, const struct locks_copy *c,
		       const struct locks_report *r, const struct locks_thread *from)
{
	const struct locks_row *row = c->row, *last = c->row + c->n_rows, *first;
	const uint64_t other = locks_n(&from->other, LOCKS_ACQUIRE);
	struct thread_locks *one = &t->v[t->n++];

	*one = (struct thread_locks){
		.tid = from->tid,
		.number = from->number,
		.name = from->name,
		.n = 1,
		.begin = from->begin,
		.end = r->end,
		.alive = true,
		.acquisitions = other,
		.at_least = other != 0,
	};
	for (int s = 0; s < LOCKS_STATES; s++)
		one->ticks[s] = from->ticks[s];
	if (r->end > from->since)
		one->ticks[from->state] += r->end - from->since;
	one->time = locks_sum_states(one->ticks);
	make_states(one, c, r, &from->sched);
	while (row < last && row->slot < from->slot)
		row++;
	for (first = row; row < last && row->slot == from->slot; row++)
		;
	add_rows(one, c, first, (size_t)(row - first));
}

static void add_others(struct locks_threads *t, const struct locks_copy *c,
		       const struct locks_report *r)
{
	struct thread_locks others = {
		.n = (uint32_t)locks_minus(c->header.n_threads, t->n),
		.acquisitions = locks_n(&r->all, LOCKS_ACQUIRE),
		.states = r->states,
	};

	for (int s = 0; s < LOCKS_STATES; s++)
		others.ticks[s] = r->ticks[s];
	for (size_t i = 0; i < t->n; i++) {
		others.acquisitions = locks_minus(others.acquisitions, t->v[i].acquisitions);
		for (int s = 0; s < LOCKS_STATES; s++)
			others.ticks[s] = locks_minus(others.ticks[s], t->v[i].ticks[s]);
		others.states = states_minus(&others.states, &t->v[i].states);
	}
	others.time = locks_sum_states(others.ticks);
	if (others.n || others.acquisitions)
		t->v[t->n++] = others;
}

void locks_threads_make(struct locks_threads *t, const struct locks_copy *c,
			const struct locks_report *r)
{
	const size_t most = c->header.n_pasts + c->n_threads + 1;

	*t = (struct locks_threads){.v = xreallocarray(NULL, most, sizeof *t->v)};
	array_sort(c->row, c->n_rows, sizeof *c->row, compare_rows);
	for (uint32_t i = 0; i < c->header.n_pasts; i++)
		add_past(t, c, r, &c->past[i]);
	for (size_t i = 0; i < c->n_threads; i++)
		if (c->thread[i].tid)
			add_living(t, c, r, &c->thread[i]);
	array_sort(t->v, t->n, sizeof *t->v, compare_threads);
	add_others(t, c, r);
}

void locks_threads_done(struct locks_threads *t)
{
	free(t->v);
	*t = (struct locks_threads){.n = 0};
}

double locks_threads_density(const struct thread_locks *one)
{
	return one->time ? 1e4 * (double)one->acquisitions / (double)one->time : 0;
}
