/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "lib/table.h"

#include <stdlib.h>
#include <string.h>

uint64_t table_start_ticks(const char *stat)
{
	const char *field = strrchr(stat, ')');

	for (int i = 2; i < 22 && field; i++)
		field = strchr(field + 1, ' ');
	return field ? strtoull(field + 1, NULL, 10) : 0;
}

void tt_table_add(struct table_row *to, const struct table_row *from, uint32_t n_events)
{
	if (!from->calls)
		return;
	to->calls += from->calls;
	for (uint32_t i = 0; i <= n_events; i++) {
		const struct table_quantity *f =
			(const void *)((const struct table_quantity *)(from + 1) + i);
		struct table_quantity *q = table_quantity(to, i);
		double shift;

		if (!f->n)
			continue;
		if (!q->n) {
			*q = *f;
			continue;
		}
		/* Around the base of the row that takes them. */
		shift = f->base - q->base;
		q->squares += f->squares + 2 * shift * f->shifted + (double)f->n * shift * shift;
		q->shifted += f->shifted + (double)f->n * shift;
		q->n += f->n;
		q->sum += f->sum;
		q->self += f->self;
		q->min = f->min < q->min ? f->min : q->min;
		q->max = f->max > q->max ? f->max : q->max;
		for (int b = 0; b < TABLE_BUCKETS; b++)
			q->bucket[b] += f->bucket[b];
	}
}
