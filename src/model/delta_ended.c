/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "model/delta_part.h"

static bool is_same(const struct task *x, const struct task *y)
{
	/* A thread whose facts were not read has no start. */
	return x->id == y->id && (x->start_ns == y->start_ns || !x->start_ns || !y->start_ns);
}

/* When the process began whose tasks begin at `first`. */
static uint64_t began(const struct sample *s, size_t first)
{
	for (size_t i = first; i < s->n && s->task[i]->pid == s->task[first]->pid; i++)
		if (s->task[i]->id == s->task[i]->pid)
			return s->task[i]->start_ns;
	return 0;
}

/* Adds to the sums of a process what those of its threads had that are not in the current sample any more. first, from:
 * where the process begins in both samples; its tasks are sorted by id. */
static void add_ended(const struct delta *before, const struct sample *previous, const struct sample *current,
		      size_t first, size_t from, struct value *sum)
{
	int32_t pid = current->task[first]->pid;

	for (size_t i = first; from < previous->n && previous->task[from]->pid == pid; from++) {
		const struct task *t = previous->task[from];

		while (i < current->n && current->task[i]->pid == pid && current->task[i]->id < t->id)
			i++;
		if (i == current->n || current->task[i]->pid != pid || !is_same(current->task[i], t))
			delta_add_ended(previous, t, delta_idle_sum(before, t), sum);
	}
}

void delta_take_over(struct delta *d, const struct delta *before, const struct sample *previous)
{
	const struct sample *current = d->sample;
	size_t first = 0, from = 0;

	for (size_t k = 0; k < d->n_tallies; k++) {
		int32_t pid = d->tally[k].task->pid;

		if (k && d->tally[k - 1].task->pid == pid)
			continue;
		while (current->task[first]->pid != pid)
			first++;
		while (from < previous->n && previous->task[from]->pid < pid)
			from++;
		/* The pid may be that of another process. The sums lie in the arena of this delta. */
		if (from < previous->n && began(previous, from) == began(current, first))
			add_ended(before, previous, current, first, from, (struct value *)d->tally[k].sum);
	}
}
