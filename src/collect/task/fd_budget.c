/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * part of live: who has counters where descriptors are too few for all that run.
 *
 * A task that needs room waits until all tasks have been read. Then room is made on demand. Idle
 * processes give their descriptors up first, the longest idle first of all. Then come those that
 * have had counters for a turn, the longest first: threads that did not run although their process
 * did, then those that run. The task that has waited longest is served first, so that each has its
 * turn. But only some turns end in one refresh, since opening counters is dear.
 *
 * Counters are had, waited for and given up by a process with all of its threads, or, where rows
 * are threads, by a thread.
 */
#include <stdlib.h>

#include "base/mem.h"
#include "collect/task/live_part.h"

/* The first interval of a turn has no number, since counters were opened in it. */
#define TURN_REFRESHES 4

/* How many turns end in one refresh, at most: TURNS_MIN, or this part of those who have
 * counters. */
#define TURNS_MIN  16
#define TURNS_PART 64

/* The order in which holders give descriptors up. Of a thread without counters nobody knows whether
 * it runs: it may be that all wait and none runs. */
enum rank { IDLE, IDLE_THREAD, RUNS };

static int compare_keys(const void *a, const void *b)
{
	const struct room_entry *x = a, *y = b;

	return x->key < y->key ? -1 : x->key > y->key;
}

static void add_entry(struct room_list *list, struct process *p, const struct thread *t,
		      uint64_t key)
{
	list->v = xgrow(list->v, &list->cap, list->n + 1, sizeof *list->v);
	list->v[list->n++] = (struct room_entry){p, thread_tid(t), key};
}

static void sort_entries(struct room_list *list)
{
	if (list->n)
		qsort(list->v, list->n, sizeof *list->v, compare_keys);
}

static bool has_group(const struct live *l, struct process *p, struct thread *t)
{
	for (size_t n = live_unit_threads(l, p, &t); n > 0; n--, t++)
		if (t->group)
			return true;
	return false;
}

/* The order in which holders give up: by rank, then by the refresh in which they last ran; where
 * they are not idle, in which their counters were opened. */
static void list_holder(struct live *l, struct process *p, const struct thread *t)
{
	enum rank rank = IDLE;

	/* A reading that a sample has is not one of this refresh. */
	if (p->last_ran == l->refresh)
		rank = l->want.threads && t->sampled ? IDLE_THREAD : RUNS;
	if (p->pid == l->want.command || (rank > IDLE && l->refresh - t->since < TURN_REFRESHES))
		return;
	add_entry(&l->room.holders, p, t,
		  (uint64_t)rank << 32 | (rank > IDLE ? t->since : p->last_ran));
}

static void list_holders(struct live *l)
{
	struct room *r = &l->room;

	r->listed = l->refresh;
	r->holders.n = r->next = 0;
	r->turns = l->attach.max_fds /
		   (l->attach.set.plan.n_fds > 0 ? l->attach.set.plan.n_fds : 1) / TURNS_PART;
	r->turns = r->turns > TURNS_MIN ? r->turns : TURNS_MIN;
	for (size_t i = 0; i < l->table.n; i++) {
		struct process *p = l->table.v[i];

		for (size_t k = 0; k < live_n_units(l, p); k++)
			if (has_group(l, p, &p->thread[k]))
				list_holder(l, p, &p->thread[k]);
	}
	sort_entries(&r->holders);
}

static void take_from(struct live *l, const struct room_entry *h)
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
	while (!attach_has_room(&l->attach) && r->next < r->holders.n) {
		const struct room_entry *h = &r->holders.v[r->next++];

		/* Some of the groups of this process are open already; it keeps them. */
		if (h->process == p && !l->want.threads)
			continue;
		if (h->key >> 32 > IDLE && r->turns-- <= 0)
			return;
		take_from(l, h);
	}
}

/* Who has waited longest is served first; of several, who came first. */
void live_want_counters(struct live *l, struct process *p, struct thread *t)
{
	uint64_t since = t->counters == COUNTERS_WAIT ? t->since : l->refresh;
	struct room_list *waiters = &l->room.waiters;

	/* It has just given its counters up, and was read before. */
	if (t->counters == COUNTERS_TAKEN && t->since == l->refresh)
		return;
	if (attach_has_room(&l->attach) && !waiters->n)
		live_open_unit(l, p, t);
	else
		add_entry(waiters, p, t, since << 32 | (uint32_t)waiters->n);
}

void live_serve_waiting(struct live *l)
{
	struct room_list *waiters = &l->room.waiters;

	sort_entries(waiters);
	for (size_t i = 0; i < waiters->n; i++) {
		struct process *p = waiters->v[i].process;
		struct thread *t = process_find_thread(p, waiters->v[i].tid);

		if (t && p->life == LIFE_WATCHED && t->life == THREAD_LIVES)
			live_open_unit(l, p, t);
	}
	waiters->n = 0;
}

void room_done(struct room *r)
{
	free(r->holders.v);
	free(r->waiters.v);
}
