/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "model/ended_rows.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "model/fact_list.h"

void dead_init(struct dead_list *l)
{
	memset(l, 0, sizeof *l);
}

static void free_row(struct dead_row *r)
{
	task_unref(r->row.task);
	sample_events_unref(r->row.events);
	delta_row_unref(&r->row);
	free(r->values);
	free(r->sums.fact);
	free(r);
}

void dead_reset(struct dead_list *l)
{
	for (size_t i = 0; i < l->n; i++)
		free_row(l->row[i]);
	l->n = 0;
}

void dead_done(struct dead_list *l)
{
	dead_reset(l);
	free(l->row);
	dead_init(l);
}

static struct dead_row *copy_row(const struct delta_row *from)
{
	struct dead_row *r = xcalloc(1, sizeof *r);
	size_t n = (size_t)sample_events_n(from->events);

	r->row = *from;
	r->row.past = true;
	task_ref(from->task);
	sample_events_ref(from->events);
	delta_row_ref(from);
	/* `since` must not be NULL even if there are no events. */
	r->values = xcalloc(4 * n + 1, sizeof *r->values);
	if (from->sums) {
		r->sums = *from->sums;
		r->sums.fact = xcalloc(N_NUMBER_FACTS, sizeof *r->sums.fact);
		memcpy(r->sums.fact, from->sums->fact, N_NUMBER_FACTS * sizeof *r->sums.fact);
		r->row.sums = &r->sums;
		r->sums.count_rate = r->values + 2 * n;
	}
	if (n && from->sums)
		memcpy(r->values + 2 * n, from->sums->count_rate, n * sizeof *r->values);
	if (n) {
		memcpy(r->values, from->increment, n * sizeof *r->values);
		memcpy(r->values + n, from->total, n * sizeof *r->values);
	}
	if (n && from->since)
		memcpy(r->values + 3 * n, from->since, n * sizeof *r->values);
	r->row.increment = r->values;
	r->row.total = r->values + n;
	if (from->since)
		r->row.since = r->values + 3 * n;
	return r;
}

void dead_mark(struct dead_list *l)
{
	for (size_t i = 0; i < l->n; i++) {
		l->row[i]->row.since = NULL;
		/* The reading belongs to the previous mark, and is freed with it. */
		l->row[i]->row.marked = NULL;
	}
}

static void add_row(struct dead_list *l, struct dead_row *r)
{
	if (l->n == DEAD_MAX) {
		free_row(l->row[0]);
		memmove(l->row, l->row + 1, --l->n * sizeof *l->row);
	}
	l->row = xgrow(l->row, &l->cap, l->n + 1, sizeof *l->row);
	l->row[l->n++] = r;
}

void dead_copy(struct dead_list *l, const struct dead_list *from)
{
	for (size_t i = 0; i < from->n; i++)
		add_row(l, copy_row(&from->row[i]->row));
}

void dead_collect(struct dead_list *l, const struct delta *delta)
{
	/* The first sample has no interval, so a zombie in it has nothing to show. */
	for (size_t i = 0; delta->interval_ns && i < delta->n; i++)
		if (delta->row[i].task->dead)
			add_row(l, copy_row(&delta->row[i]));
}
