/* SPDX-License-Identifier: GPL-2.0-or-later */
/* part of delta: what tasks leave behind that have ended. */
#include "model/delta_part.h"

#include <stdlib.h>

static bool is_same(const struct task *x, const struct task *y)
{
	/* Whether both are the same thread: one whose facts were not read has no start. */
	return x->id == y->id && (x->start_ns == y->start_ns || !x->start_ns || !y->start_ns);
}

/* The start of the process whose tasks begin at `first`. */
static uint64_t began(const struct sample *s, size_t first)
{
	for (size_t i = first; i < s->n && task_has_owner(s->task[i], task_owner(s->task[first]));
	     i++)
		if (task_is_leader(s->task[i]))
			return s->task[i]->start_ns;
	return 0;
}

/* Adds what they have grown since the mark. What is not known of then makes it a part. */
static void leave_grown(struct delta_ended *e, const struct task *t, const struct sample *mark)
{
	struct delta_row row = {.task = t};

	delta_mark_row(&row, mark);
	for (int f = 0; f < N_NUMBER_FACTS; f++) {
		uint64_t at;

		if (fact_table[f].per_thread && t->known & FACT_BIT(f) &&
		    delta_fact_at_mark(&row, (enum fact)f, &at))
			e->since[f] += task_fact(t, (enum fact)f) - at;
	}
}

/* Whether x stands before y and is another thread. One number may have several, one after the
 * other. */
static bool is_before(const struct task *x, const struct task *y)
{
	return x->id < y->id || (x->id == y->id && x->start_ns && x->start_ns < y->start_ns);
}

/* Adds the facts of a thread that is in no later sample to those of its process, if facts are
 * wanted. */
static bool leave_facts(struct delta_ended *e, const struct task *t, const struct sample *mark)
{
	/* What the thread did between its last reading and its end is known to nobody. */
	bool now = !t->ended;

	if (!(t->room & fact_per_thread))
		return false;
	e->now |= now;
	e->later |= now;
	if (mark)
		leave_grown(e, t, mark);
	for (int f = 0; f < N_NUMBER_FACTS; f++)
		if (fact_table[f].per_thread && t->known & FACT_BIT(f))
			e->fact[f] += task_fact(t, (enum fact)f);
	return true;
}

/* Notes a thread that has ended, which is in this sample once more, or longer: its counters may
 * still count the threads that it started. */
static bool note_end(struct delta_ended *e, const struct task *t, const struct task *old)
{
	bool now = t->ended && !old->ended && t->room & fact_per_thread;

	e->now |= now;
	e->later |= now;
	return now;
}

/* Adds to the sums of the heir, which are those of its own delta. */
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

/* Adds what the threads of a process left that are no longer in the current sample: to *e, and to
 * sum[] where it has one. first, from: where the process begins in both samples; its tasks are
 * sorted by id and start. Returns whether e is to be kept. */
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

/* Whether the process has the one task in both samples, by the same reading: nobody looked at it,
 * as it did not run. That is what most processes do. first, from: as of take_process(). */
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

/* The first task of a process that has sums; tally: from where to look. */
static const struct delta_tally *find_heir(const struct delta *d, struct owner owner, size_t *tally)
{
	while (*tally < d->n_tallies && owner_compare(task_owner(d->tally[*tally].task), owner) < 0)
		++*tally;
	return *tally < d->n_tallies && task_has_owner(d->tally[*tally].task, owner)
		       ? &d->tally[*tally]
		       : NULL;
}

/* Where the walk through both samples is, the sums and what was left before. */
struct walk {
	size_t from, tally, next;
};

/* The process whose tasks begin at `first`, and at w->from if it is the same one. */
static void take_over(struct delta *d, const struct delta *before, size_t first, struct walk *w)
{
	const struct sample *current = d->sample, *previous = before->sample;
	struct owner owner = task_owner(current->task[first]);
	struct delta_ended e = {.owner = owner};
	bool had;

	while (w->next < before->n_ended && owner_compare(before->ended[w->next].owner, owner) < 0)
		w->next++;
	/* Another process may have the pid by now. */
	if (w->from == previous->n || began(previous, w->from) != began(current, first))
		return;
	had = w->next < before->n_ended && !owner_compare(before->ended[w->next].owner, owner);
	if (had) {
		e = before->ended[w->next];
		e.before = e.now;
		e.now = false;
	}
	if (take_process(d, first, before, w->from, find_heir(d, owner, &w->tally), &e) || had)
		d->ended[d->n_ended++] = e;
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
	return d->n_ended ? bsearch(&owner, d->ended, d->n_ended, sizeof *d->ended, compare_owner)
			  : NULL;
}
