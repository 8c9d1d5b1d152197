/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "lib/row.h"

void tt_row_begin(struct table_row *row, const uint64_t total[], uint32_t n_events)
{
	for (uint32_t i = 0; i <= n_events; i++) {
		struct table_quantity *q = table_quantity(row, i);

		q->base = total[i];
		q->min = UINT64_MAX;
	}
}

void tt_row_add(const struct tt_call *call, uint32_t n_events)
{
	struct table_row *row = call->row;

	if (!row->calls)
		tt_row_begin(row, call->total, n_events);
	for (uint32_t i = 0; i <= n_events; i++) {
		struct table_quantity *q = table_quantity(row, i);

		if (!(call->known >> i & 1)) {
			const bool off = call->off >> i & 1;

			q->n_unknown++;
			q->n_off += off;
			q->missed += off && call->outermost ? call->total[0] : 0;
			continue;
		}
		row_add_number(q, call->total[i]);
		if (call->has_inner)
			q->inner += call->inner[i];
		if (!call->outermost)
			q->nested += call->total[i];
		if (!(call->scaled >> i & 1))
			continue;
		q->n_scaled++;
		if (call->outermost) {
			q->estimated += call->estimated[i];
			q->missed += call->missed[i];
		}
	}
	row->calls++;
}
