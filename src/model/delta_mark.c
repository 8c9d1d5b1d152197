/* SPDX-License-Identifier: GPL-2.0-or-later */
/* part of delta: what came together since a mark. */
#include <string.h>

#include "model/delta_part.h"

const struct sample *delta_marked(const struct delta *d)
{
	while (d->threads)
		d = d->threads;
	return d->mark;
}

void delta_mark_row(struct delta_row *row, const struct sample *mark)
{
	row->marked = sample_find(mark, row->task);
	row->came_later = !row->marked && row->task->start_ns + DELTA_TICK_NS > mark->boot_ns;
}

bool delta_fact_at_mark(const struct delta_row *row, enum fact f, uint64_t *at)
{
	const struct task *marked = row->marked;

	*at = marked && marked->known & FACT_BIT(f) ? task_fact(marked, f) : 0;
	return marked ? marked->known & FACT_BIT(f) : row->came_later;
}

void delta_mark(struct delta *d)
{
	sample_unref(d->mark);
	d->mark = sample_ref(d->sample);
	for (size_t i = 0; i < d->n; i++) {
		struct delta_row *row = &d->row[i];

		row->marked = row->task;
		row->came_later = false;
		row->since = row->since_sum = delta_plain_of(d, row->task, false)->total;
	}
	for (size_t i = 0; i < d->n_tallies; i++)
		d->tally[i].since = delta_plain_of(d, d->tally[i].task, false)->total;
	for (size_t i = 0; i < d->n_ended; i++) {
		d->ended[i].later = false;
		memset(d->ended[i].since, 0, sizeof d->ended[i].since);
	}
}

struct value delta_count_since(const struct delta_row *row, int event)
{
	if (row->since)
		return row->since[event];
	/* It ended before. */
	return value_known(row->total[event]) ? value_exact(0) : row->total[event];
}
