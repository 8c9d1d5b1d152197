/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "inject/lib/figure.h"

#include <math.h>
#include <tiptop.h>

#include "inject/lib/clock.h"

static const char *const state_word[] = {"exact", "exact", "scaled", "exact", "denied", "no-pmu"};

uint64_t tt_ns_of(const struct table_header *h, uint64_t ticks)
{
	return tt_multiply(ticks, h->ns_per_tick);
}

static uint64_t minus(uint64_t value, uint64_t cost)
{
	return value > cost ? value - cost : 0;
}

/* The cost of measuring, to be subtracted from one call, the sum, the self number and the mean. */
struct cost {
	uint64_t of_call, of_sum, of_self;
	double of_mean;
};

/* Returns the cost of measuring in quantity i of a row; 0 if it is not to be subtracted. The sum of
 * a region includes the cost of its own readings and the whole cost of the regions inside it. Its
 * self number includes the cost of its own readings, and the part of the inner regions' cost that
 * lies outside their readings. */
static struct cost find_cost(const struct table_header *h, struct table_row *row, uint32_t i)
{
	const uint64_t own = i ? h->event[i - 1].overhead : h->overhead_ticks,
		       inner = i ? h->event[i - 1].inner_overhead : h->inner_overhead_ticks,
		       n = table_n(row, table_quantity(row, i));
	struct cost cost = {.of_call = own};

	if (!h->subtract || !n)
		return (struct cost){.of_call = 0};
	cost.of_sum = own * minus(n, row->n_nested) + inner * row->n_within;
	cost.of_self = own * n + minus(inner, own) * row->n_inner;
	cost.of_mean = (double)own + (double)inner * (double)row->n_within / (double)row->calls;
	return cost;
}

struct tt_figure tt_figure_of(const struct table_header *h, struct table_row *row, uint32_t i)
{
	const struct table_quantity *q = table_quantity(row, i);
	const struct cost cost = find_cost(h, row, i);
	const uint64_t n = table_n(row, q);
	const double scale = i ? 1 : (double)h->ns_per_tick / 4294967296.0;
	const double off = n ? (double)(int64_t)q->shifted / (double)n : 0;
	const double variance = n ? q->squares / (double)n - off * off : 0;
	const double all = table_scale(row, table_quantity(row, 0), q);
	const uint64_t counted = minus(table_sum(row, q), q->estimated);
	struct tt_figure s = {
		.known = n > 0 && all > 0,
		.sum = minus(q->missed ? (uint64_t)((double)counted * all) : counted, cost.of_sum),
		.self = minus(table_self(row, q), cost.of_self),
		.min = minus(q->min, cost.of_call),
		.max = minus(q->max, cost.of_call),
		.mean = n ? fmax(0, ((double)q->base + off - cost.of_mean) * scale) : 0,
		.stddev = variance > 0 ? sqrt(variance) * scale : 0,
		.state = i ? state_word[h->event[i - 1].state % 6] : "exact",
		.scaled = q->n_scaled || q->n_off,
	};

	s.whole = s.known && (!i || !row->n_waited);
	if (s.scaled)
		s.state = state_word[TT_SCALED];
	if (i && !s.known && h->event[i - 1].state < TT_DENIED)
		s.state = q->n_off == q->n_unknown ? "off" : "unread";
	if (i && row->n_waited && h->event[i - 1].state < TT_DENIED)
		s.state = "waited";
	if (i && h->event[i - 1].n_closed)
		s.state = "closed";
	if (!i) {
		s.sum = tt_ns_of(h, s.sum);
		s.self = tt_ns_of(h, s.self);
		s.min = tt_ns_of(h, s.min);
		s.max = tt_ns_of(h, s.max);
	}
	return s;
}
