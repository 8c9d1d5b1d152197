/* SPDX-License-Identifier: GPL-2.0-or-later */
/* part of delta: increments of facts, and the sums over threads that have ended. */
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "model/delta_part.h"
#include "model/fact_list.h"
#include "model/kinds.h"

/* ---- delta ended ----
 *
 * Counts and facts of tasks that have ended.
 */

static bool is_same(const struct task *x, const struct task *y)
{
	/* The start of a thread whose facts were not read is 0. */
	return x->id == y->id && (x->start_ns == y->start_ns || !x->start_ns || !y->start_ns);
}

/* Returns the start of the process whose tasks begin at index `first`; 0: unknown. */
static uint64_t process_start(const struct sample *s, size_t first)
{
	for (size_t i = first; i < s->n && task_has_owner(s->task[i], task_owner(s->task[first]));
	     i++)
		if (task_is_leader(s->task[i]))
			return s->task[i]->start_ns;
	return 0;
}

/* Adds the growth of the facts of a thread since the mark, where their value at the mark is
 * known. */
static void add_since_mark(struct delta_ended *e, const struct task *t, const struct sample *mark)
{
	struct delta_row row = {.task = t};

	delta_mark_row(&row, mark);
	for (int f = 0; f < N_NUMBER_FACTS; f++) {
		uint64_t at;

		if (fact_table[f].per_thread && fact_in(t->known, f) &&
		    delta_fact_at_mark(&row, f, &at))
			e->fact[f].since += task_fact(t, f) - at;
	}
}

/* Returns whether x sorts before y and is another thread. One id may belong to several threads, one
 * after the other. */
static bool is_before(const struct task *x, const struct task *y)
{
	return x->id < y->id || (x->id == y->id && x->start_ns && x->start_ns < y->start_ns);
}

/* Adds the facts of a thread that is in no later sample to those of its process. Returns false if
 * no per-thread facts are read. */
static bool leave_facts(struct delta_ended *e, const struct task *t, const struct sample *mark)
{
	/* If t->ended, the thread ended in an earlier interval, in which note_end() set these
	 * flags. */
	bool now = !t->ended;

	if (!fact_any(fact_and(t->room, fact_per_thread)))
		return false;
	e->now |= now;
	e->later |= now;
	if (mark)
		add_since_mark(e, t, mark);
	for (int f = 0; f < N_NUMBER_FACTS; f++)
		if (fact_table[f].per_thread && fact_in(t->known, f))
			e->fact[f].sum += task_fact(t, f);
	return true;
}

/* Notes the end of a thread that stays in the sample for now: its counters may still count the
 * threads that it started. */
static bool note_end(struct delta_ended *e, const struct task *t, const struct task *old)
{
	bool now = t->ended && !old->ended && fact_any(fact_and(t->room, fact_per_thread));

	e->now |= now;
	e->later |= now;
	return now;
}

/* Adds the sums of an ended thread to those of the heir, another task of its process. */
static void leave_counts(const struct delta_tally *heir, const struct delta *before,
			 const struct task *t)
{
	const struct delta_tally *tally = delta_find_tally(before, t);

	delta_add_ended(t, tally ? tally->sum : NULL, heir->task->events,
			(struct value *)heir->sum);
	if (heir->since)
		delta_add_ended(t, tally ? tally->since : NULL, heir->task->events,
				(struct value *)heir->since);
}

/* Adds the facts of the threads of one process that are no longer in the current sample to *e, and
 * their counts to the sums of heir (NULL: none). first, from: the index of the first task of the
 * process in the current and the previous sample; the tasks are sorted by id and start. Returns
 * whether *e has to be stored. */
static bool take_process(const struct delta *d, size_t first, const struct delta *before,
			 size_t from, const struct delta_tally *heir, struct delta_ended *e)
{
	const struct sample *current = d->sample, *previous = before->sample;
	struct owner owner = task_owner(current->task[first]);
	bool any = false;

	for (size_t i = first; from < previous->n && task_has_owner(previous->task[from], owner);
	     from++) {
		const struct task *t = previous->task[from];

		while (i < current->n && task_has_owner(current->task[i], owner) &&
		       is_before(current->task[i], t))
			i++;
		if (i < current->n && task_has_owner(current->task[i], owner) &&
		    is_same(current->task[i], t)) {
			any |= note_end(e, current->task[i], t);
			continue;
		}
		any |= leave_facts(e, t, d->mark);
		if (heir)
			leave_counts(heir, before, t);
	}
	return any;
}

/* Returns whether the process has a single task, with the same reading in both samples: it did not
 * run and was not read again, which is the most frequent case. first, from: as in
 * take_process(). */
static bool is_unread(const struct sample *current, size_t first, const struct sample *previous,
		      size_t from)
{
	const struct task *t = current->task[first];

	return from < previous->n && previous->task[from] == t &&
	       (first + 1 == current->n ||
		!task_has_owner(current->task[first + 1], task_owner(t))) &&
	       (from + 1 == previous->n ||
		!task_has_owner(previous->task[from + 1], task_owner(t)));
}

/* Returns the sums of the first task of a process that has counters; NULL: none. *tally: the index
 * at which the search begins; advanced to where it ends. */
static const struct delta_tally *find_heir(const struct delta *d, struct owner owner, size_t *tally)
{
	while (*tally < d->n_tallies && owner_compare(task_owner(d->tally[*tally].task), owner) < 0)
		++*tally;
	return *tally < d->n_tallies && task_has_owner(d->tally[*tally].task, owner)
		       ? &d->tally[*tally]
		       : NULL;
}

/* The positions in the previous sample, in the tallies, and in the previous sums of ended
 * threads. */
struct walk {
	size_t from, tally, next;
};

/* Keeps the counts and facts of ended threads of the process whose tasks begin at index `first` of
 * the current sample, and at w->from of the previous one. */
static void take_over(struct delta *d, const struct delta *before, size_t first, struct walk *w)
{
	const struct sample *current = d->sample, *previous = before->sample;
	struct owner owner = task_owner(current->task[first]);
	struct ended_fact fact[N_NUMBER_FACTS] = {{0}};
	struct delta_ended e = {.owner = owner};
	bool had;

	while (w->next < before->n_ended && owner_compare(before->ended[w->next].owner, owner) < 0)
		w->next++;
	/* Another process may have the pid by now. */
	if (w->from == previous->n ||
	    process_start(previous, w->from) != process_start(current, first))
		return;
	had = w->next < before->n_ended && !owner_compare(before->ended[w->next].owner, owner);
	if (had) {
		e = before->ended[w->next];
		e.before = e.now;
		e.now = false;
		memcpy(fact, e.fact, sizeof fact);
	}
	e.fact = fact;
	if (take_process(d, first, before, w->from, find_heir(d, owner, &w->tally), &e) || had) {
		e.fact = arena_copy(&d->arena, fact, sizeof fact);
		d->ended[d->n_ended++] = e;
	}
}

void delta_take_over(struct delta *d, const struct delta *before)
{
	const struct sample *current = d->sample, *previous = before->sample;
	struct walk w = {0};

	for (size_t i = 0; i < current->n; i++) {
		struct owner owner = task_owner(current->task[i]);

		if (i && task_has_owner(current->task[i - 1], owner))
			continue;
		while (w.from < previous->n &&
		       owner_compare(task_owner(previous->task[w.from]), owner) < 0)
			w.from++;
		if (w.next == before->n_ended && is_unread(current, i, previous, w.from))
			continue;
		take_over(d, before, i, &w);
	}
}

static int compare_owner(const void *owner, const void *ended)
{
	return owner_compare(*(const struct owner *)owner,
			     ((const struct delta_ended *)ended)->owner);
}

const struct delta_ended *delta_find_ended(const struct delta *d, struct owner owner)
{
	return array_find(&owner, d->ended, d->n_ended, sizeof *d->ended, compare_owner);
}
