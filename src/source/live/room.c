/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * part of live: who has counters where descriptors are too few for all that run.
 *
 * Who needs room waits until all have been read. Then it is made on demand: processes that are idle
 * give their descriptors up, the longest idle first; then those that have had them for a turn, the
 * longest first: threads that did not run although their process did, then those that run. Who has
 * waited longest is served first, so that each has its turn. But only some turns end in one
 * refresh, since opening counters is dear.
 *
 * What has counters, waits or gives them up as one is a process with all of its threads, or, where
 * rows are threads, a thread.
 */
#include <stdlib.h>

#include "base/mem.h"
#include "source/live/part.h"

/* The first interval of a turn has no number, since counters were opened in it. */
#define TURN_REFRESHES 4

/* How many turns end in one refresh, at most: so many, or this part of those who have counters. */
#define TURNS_MIN  16
#define TURNS_PART 64

/* Who gives descriptors up first. Of a thread without counters nobody knows whether it runs: it may
 * be that all wait and none does. */
enum rank { IDLE, IDLE_THREAD, RUNS };

/* One that has counters and may give them up. */
struct holder {
	struct process *process;
	int tid;
	enum rank rank;
	/* The refresh in which it last ran; where it is not idle, in which its
	 * counters were opened. */
	uint32_t since;
};

/* One that has none and runs. */
struct waiter {
	struct process *process;
	int tid;
	uint32_t since; /* the refresh */
	size_t place;
};

static int compare_holders(const void *a, const void *b)
{
	const struct holder *x = a, *y = b;

	if (x->rank != y->rank)
		return x->rank < y->rank ? -1 : 1;
	return x->since < y->since ? -1 : x->since > y->since;
}

static int compare_waiters(const void *a, const void *b)
{
	const struct waiter *x = a, *y = b;

	if (x->since != y->since)
		return x->since < y->since ? -1 : 1;
	return x->place < y->place ? -1 : x->place > y->place;
}

static bool has_group(const struct live *l, struct process *p, struct thread *t)
{
	for (size_t n = live_unit_threads(l, p, &t); n > 0; n--, t++)
		if (t->group)
			return true;
	return false;
}

static void list_holder(struct live *l, struct process *p, const struct thread *t)
{
	struct room *r = &l->room;
	enum rank rank = IDLE;

	/* A reading that a sample has is not one of this refresh. */
	if (p->last_ran == l->refresh)
		rank = l->want.threads && t->sampled ? IDLE_THREAD : RUNS;
	if (p->pid == l->want.command || (rank > IDLE && l->refresh - t->since < TURN_REFRESHES))
		return;
	r->holder = xgrow(r->holder, &r->cap_holders, r->n_holders + 1, sizeof *r->holder);
	r->holder[r->n_holders++] =
		(struct holder){p, t->task->id, rank, rank > IDLE ? t->since : p->last_ran};
}

static void list_holders(struct live *l)
{
	struct room *r = &l->room;

	r->listed = l->refresh;
	r->n_holders = r->next = 0;
	r->turns = l->attach.max_fds /
		   (l->attach.set.plan.n_fds > 0 ? l->attach.set.plan.n_fds : 1) / TURNS_PART;
	r->turns = r->turns > TURNS_MIN ? r->turns : TURNS_MIN;
	for (size_t i = 0; i < l->table.n; i++) {
		struct process *p = l->table.v[i];

		for (size_t k = 0; k < live_n_units(l, p); k++)
			if (has_group(l, p, &p->thread[k]))
				list_holder(l, p, &p->thread[k]);
	}
	if (r->n_holders)
		qsort(r->holder, r->n_holders, sizeof *r->holder, compare_holders);
}

static void take_from(struct live *l, const struct holder *h)
{
	struct thread *t = process_find_thread(h->process, h->tid);

	/* It may have lost its counters since. */
	if (t && has_group(l, h->process, t))
		live_change_counters(l, h->process, t, COUNTERS_TAKE);
}

void live_make_room(struct live *l, const struct process *p)
{
	struct room *r = &l->room;

	if (!l->want.collect)
		return;
	if (r->listed != l->refresh)
		list_holders(l);
	while (!attach_has_room(&l->attach) && r->next < r->n_holders) {
		const struct holder *h = &r->holder[r->next];

		r->next++;
		/* Some of its own are open already. */
		if (h->process == p && !l->want.threads)
			continue;
		if (h->rank > IDLE && r->turns-- <= 0)
			return;
		take_from(l, h);
	}
}

void live_want_counters(struct live *l, struct process *p, struct thread *t)
{
	uint32_t since = t->counters == COUNTERS_WAIT ? t->since : l->refresh;
	struct room *r = &l->room;

	/* It has just given them up, and was read. */
	if (t->counters == COUNTERS_TAKEN && t->since == l->refresh)
		return;
	if (attach_has_room(&l->attach) && !r->n_waiters) {
		live_open_unit(l, p, t);
		return;
	}
	r->waiter = xgrow(r->waiter, &r->cap_waiters, r->n_waiters + 1, sizeof *r->waiter);
	r->waiter[r->n_waiters] = (struct waiter){p, t->task->id, since, r->n_waiters};
	r->n_waiters++;
}

void live_serve_waiting(struct live *l)
{
	struct room *r = &l->room;

	if (r->n_waiters)
		qsort(r->waiter, r->n_waiters, sizeof *r->waiter, compare_waiters);
	for (size_t i = 0; i < r->n_waiters; i++) {
		struct process *p = r->waiter[i].process;
		struct thread *t = process_find_thread(p, r->waiter[i].tid);

		if (t && p->life == LIFE_WATCHED && t->life == THREAD_LIVES)
			live_open_unit(l, p, t);
	}
	r->n_waiters = 0;
}

void room_done(struct room *r)
{
	free(r->holder);
	free(r->waiter);
}
