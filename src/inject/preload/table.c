/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "inject/preload/table.h"

double locks_variance(const struct locks_quantity *q)
{
	const double mean = q->n ? (double)(int64_t)q->shifted / (double)q->n : 0;
	const double sum = q->squares - mean * mean * (double)q->n;

	return q->n > 1 && sum > 0 ? sum / (double)(q->n - 1) : 0;
}

/* Squares are relative to the base of the quantity that is added to. The process may have written
 * any numbers, so the arithmetic is unsigned, which cannot overflow. */
static void add_quantity(struct locks_quantity *q, const struct locks_quantity *f)
{
	const uint64_t shift = q->n ? f->base - q->base : 0;
	const double distance = (double)(int64_t)shift;

	if (!q->n)
		q->base = f->base;
	q->squares += f->squares + 2 * distance * (double)(int64_t)f->shifted +
		      (double)f->n * distance * distance;
	q->shifted += f->shifted + f->n * shift;
	q->n += f->n;
	q->max = f->max > q->max ? f->max : q->max;
	for (int b = 0; b < LOCKS_BUCKETS; b++)
		q->bucket[b] += f->bucket[b];
}

static void add_futex(struct locks_futex *to, const struct locks_futex *from)
{
	to->timeouts += from->timeouts;
	to->changed += from->changed;
	to->interrupted += from->interrupted;
	to->woken += from->woken;
	to->handed += from->handed;
	to->inheriting += from->inheriting;
	for (int i = 0; i < LOCKS_USES; i++)
		to->use[i] += from->use[i];
}

void locks_row_add(struct locks_row *to, const struct locks_row *from)
{
	to->contended += from->contended;
	to->waited += from->waited;
	to->nested += from->nested;
	to->failed += from->failed;
	to->lost += from->lost;
	to->n_under_way += from->n_under_way;
	to->under_way += from->under_way;
	add_futex(&to->futex, &from->futex);
	for (int p = 0; p < LOCKS_PHASES; p++) {
		to->untimed[p] += from->untimed[p];
		if (from->phase[p].n)
			add_quantity(&to->phase[p], &from->phase[p]);
	}
}

void locks_sched_add(struct locks_sched *to, const struct locks_sched *from)
{
	for (int i = 0; i < LOCKS_TOTALS; i++)
		to->total[i] += from->total[i];
	for (int k = 0; k < LOCKS_N_KINDS; k++) {
		to->waited[k] += from->waited[k];
		to->waited_run[k] += from->waited_run[k];
	}
}

void locks_counts_add(struct locks_quantity *to, const struct locks_quantity *from,
		      uint32_t n_events)
{
	for (uint32_t i = 0; i < n_events * LOCKS_PHASES; i++)
		if (from[i].n)
			add_quantity(&to[i], &from[i]);
}

/* Leaves out the counts of an event that the thread could not read all the time. */
static void add_counts(struct locks_thread *to, const struct locks_thread *from)
{
	for (int e = 0; e < LOCKS_EVENTS; e++) {
		to->lacking[e] += from->lacking[e];
		for (int s = 0; s < LOCKS_STATES && !from->lacking[e]; s++)
			to->count[e][s] += from->count[e][s];
	}
}

void locks_thread_add(struct locks_thread *to, const struct locks_thread *from)
{
	for (int s = 0; s < LOCKS_STATES; s++)
		to->ticks[s] += from->ticks[s];
	to->n_pairs += from->n_pairs;
	to->n_untimed += from->n_untimed;
	to->n_unmeasured += from->n_unmeasured;
	to->n_too_deep += from->n_too_deep;
	to->n_unmatched += from->n_unmatched;
	to->n_futex += from->n_futex;
	to->n_futex_left_out += from->n_futex_left_out;
	locks_sched_add(&to->sched, &from->sched);
	add_counts(to, from);
	locks_row_add(&to->other, &from->other);
}
