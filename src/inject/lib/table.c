/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "inject/lib/table.h"

static void add_quantity(struct table_quantity *q, const struct table_quantity *f, uint64_t n)
{
	/* Around the base of the row that takes them. The numbers may be anybody's: no overflow of
	 * signed ones. */
	const uint64_t shift = f->base - q->base;
	const double distance = (double)(int64_t)shift;

	q->squares += f->squares + 2 * distance * (double)(int64_t)f->shifted +
		      (double)n * distance * distance;
	q->shifted += f->shifted + n * shift;
	q->n_unknown += f->n_unknown;
	q->n_off += f->n_off;
	q->min = f->min < q->min ? f->min : q->min;
	q->max = f->max > q->max ? f->max : q->max;
	q->inner += f->inner;
	q->nested += f->nested;
	q->n_scaled += f->n_scaled;
	q->estimated += f->estimated;
	q->missed += f->missed;
	for (int b = 0; b < TABLE_BUCKETS; b++)
		q->bucket[b] += f->bucket[b];
}

void tt_table_add(struct table_row *to, const struct table_row *from, uint32_t n_events)
{
	for (int u = 0; u < TABLE_UNITS; u++)
		to->work[u] += from->work[u];
	if (!from->calls)
		return;
	for (uint32_t i = 0; i <= n_events; i++) {
		struct table_quantity *q = table_quantity(to, i);
		const struct table_quantity *f =
			(const void *)((const struct table_quantity *)(from + 1) + i);

		if (to->calls)
			add_quantity(q, f, table_n(from, f));
		else
			*q = *f;
	}
	to->calls += from->calls;
	to->n_waited += from->n_waited;
	to->n_nested += from->n_nested;
	to->n_inner += from->n_inner;
	to->n_within += from->n_within;
}
