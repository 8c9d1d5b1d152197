/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "inject/lib/row.h"

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
	row->n_waited += call->waited;
	row->n_nested += !call->outermost;
	if (call->has_inner) {
		row->n_inner += call->n_inner;
		row->n_within += call->outermost ? call->n_within : 0;
	}
}

/* A number that the kernel had to estimate, since the counter was not on the PMU all the time. */
static void set_estimate(struct tt_call *call, uint32_t i, const struct tt_value *from,
			 const struct tt_value *to)
{
	const double enabled = (double)(to->enabled - from->enabled);
	const double off = enabled - (double)(to->running - from->running);

	call->scaled |= 1u << i;
	call->estimated[i] = call->total[i] - (to->count - from->count);
	call->missed[i] = (uint64_t)((double)call->total[0] * off / enabled);
}

/* It was to be counted, but there was no counter for it. */
static bool was_off(const struct tt_value *from, const struct tt_value *to)
{
	return from->opening == to->opening && from->state < TT_DENIED && to->state < TT_DENIED &&
	       to->enabled > from->enabled && to->running == from->running;
}

void tt_call_set_number(struct tt_call *call, uint32_t i, const struct tt_value *from,
			const struct tt_value *to)
{
	const double n = tt_between(from, to);

	call->total[i] = 0;
	if (!(n >= 0)) {
		call->off |= was_off(from, to) ? 1u << i : 0;
		return;
	}
	call->known |= 1u << i;
	call->total[i] = (uint64_t)(n + 0.5);
	if (call->total[i] > to->count - from->count)
		set_estimate(call, i, from, to);
}
