/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "inject/lib/figures.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <tiptop.h>

#include "inject/lib/clock.h"

/* ---- figure ---- */

static const char *const state_word[] = {"exact", "exact", "scaled", "exact", "denied", "no-pmu"};

uint64_t tt_ns_of(const struct table_header *h, uint64_t ticks)
{
	return tt_multiply(ticks, h->ns_per_tick);
}

__attribute__((noinline)) double tt_real(uint64_t n)
{
	return (double)n;
}

__attribute__((noinline)) uint64_t tt_integer(double x)
{
	return (uint64_t)x;
}

static __attribute__((noinline)) uint64_t scale_number(uint64_t n, double by)
{
	return tt_integer(tt_real(n) * by);
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
	cost.of_mean = tt_real(own) + tt_real(inner) * tt_real(row->n_within) / tt_real(row->calls);
	return cost;
}

/* Returns the sum over all calls, with an estimate for the time in which the event was not counted.
 * scale: table_scale() of the quantity. */
static uint64_t extrapolate_sum(const struct table_row *row, const struct table_quantity *q,
				double scale)
{
	const uint64_t counted = minus(table_sum(row, q), q->estimated);

	return q->missed ? scale_number(counted, scale) : counted;
}

/* Returns the self number, extrapolated by the same factor as the sum. sum: of extrapolate_sum().
 */
static uint64_t extrapolate_self(const struct table_row *row, const struct table_quantity *q,
				 uint64_t sum)
{
	const uint64_t self = table_self(row, q), of_calls = table_sum(row, q);

	if (!q->missed || !of_calls)
		return self;
	return self == of_calls ? sum : scale_number(self, tt_real(sum) / tt_real(of_calls));
}

struct tt_figure tt_figure_of(const struct table_header *h, struct table_row *row, uint32_t i)
{
	const struct table_quantity *q = table_quantity(row, i);
	const struct cost cost = find_cost(h, row, i);
	const uint64_t n = table_n(row, q);
	const double scale = i ? 1 : tt_real(h->ns_per_tick) / 4294967296.0;
	const double off = n ? (double)(int64_t)q->shifted / tt_real(n) : 0;
	const double variance = n ? q->squares / tt_real(n) - off * off : 0;
	const double all = table_scale(row, table_quantity(row, 0), q);
	const uint64_t sum = extrapolate_sum(row, q, all);
	struct tt_figure s = {
		.known = n > 0 && all > 0,
		.sum = minus(sum, cost.of_sum),
		.self = minus(extrapolate_self(row, q, sum), cost.of_self),
		.min = minus(q->min, cost.of_call),
		.max = minus(q->max, cost.of_call),
		.mean = n ? fmax(0, (tt_real(q->base) + off - cost.of_mean) * scale) : 0,
		.stddev = variance > 0 ? sqrt(variance) * scale : 0,
		.state = i ? state_word[h->event[i - 1].state % 6] : "exact",
		.scaled = q->n_scaled || q->n_off,
	};

	s.whole = s.known && q->n_unknown == q->n_off;
	if (s.scaled)
		s.state = state_word[TT_SCALED];
	if (i && !s.whole && h->event[i - 1].state < TT_DENIED)
		s.state = q->n_off && q->n_off == q->n_unknown ? "off" : "unread";
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

/* ---- derived ---- */

/* Returns whether `name` consists of the event and the modifier. */
static bool is_event(const char *name, const char *event, const char *modifier)
{
	const size_t n = strlen(event);

	return !strncmp(name, event, n) && !strcmp(name + n, modifier);
}

/* Returns the index of the quantity "instructions", and sets *cycles to the index of "cycles" with
 * the same modifier. Returns 0 if the table does not have both. */
static uint32_t find_instructions(const struct table_header *h, uint32_t *cycles)
{
	for (uint32_t i = 1; i <= h->n_events; i++) {
		const char *modifier = strchrnul(h->event[i - 1].name, ':');

		if (!is_event(h->event[i - 1].name, "instructions", modifier))
			continue;
		for (*cycles = 1; *cycles <= h->n_events; ++*cycles)
			if (is_event(h->event[*cycles - 1].name, "cycles", modifier) ||
			    is_event(h->event[*cycles - 1].name, "cpu-cycles", modifier))
				return i;
	}
	return 0;
}

uint32_t tt_derived_n(const struct table_header *h)
{
	uint32_t cycles;

	return (find_instructions(h, &cycles) != 0) +
	       __atomic_load_n(&h->n_units, __ATOMIC_ACQUIRE) * (2 + h->n_events);
}

static void divide(struct tt_derived *d, double by)
{
	d->known = d->known && by > 0;
	d->value = d->known ? d->value / by : 0;
}

/* Sets *d to the sum of quantity i over all calls. */
static void set_sum(struct tt_derived *d, const struct table_header *h, struct table_row *row,
		    uint32_t i)
{
	const struct tt_figure f = tt_figure_of(h, row, i);

	d->known = f.whole;
	d->value = tt_real(f.sum);
}

static void get_ipc(struct tt_derived *d, const struct table_header *h, struct table_row *row,
		    uint32_t instructions, uint32_t cycles)
{
	snprintf(d->name, sizeof d->name, "ipc");
	d->decimals = 3;
	if (!row)
		return;
	set_sum(d, h, row, instructions);
	divide(d,
	       tt_figure_of(h, row, cycles).whole ? tt_real(tt_figure_of(h, row, cycles).sum) : 0);
}

/* Computes number k of unit u: 0: the total; 1: the rate per second; from 2 on: the count of event
 * k - 2 per unit. */
static void get_work(struct tt_derived *d, const struct table_header *h, struct table_row *row,
		     uint32_t u, uint32_t k)
{
	const char *unit = h->unit[u];
	const double work = row ? tt_real(row->work[u]) : 0;

	d->decimals = k == 0 ? 0 : k == 1 ? 3 : 6;
	if (k > 1)
		snprintf(d->name, sizeof d->name, "%s/%s", h->event[k - 2].name, unit);
	else
		snprintf(d->name, sizeof d->name, k ? "%s/s" : "%s", unit);
	if (!row || !work)
		return;
	if (k > 1) {
		set_sum(d, h, row, k - 1);
		divide(d, work);
		return;
	}
	d->known = true;
	d->value = work;
	if (k)
		divide(d, tt_real(tt_figure_of(h, row, 0).sum) / 1e9);
}

void tt_derived_get(struct tt_derived *d, const struct table_header *h, struct table_row *row,
		    uint32_t k)
{
	const uint32_t of_unit = 2 + h->n_events;
	uint32_t cycles;
	const uint32_t instructions = find_instructions(h, &cycles);

	*d = (struct tt_derived){.known = false};
	if (instructions && !k--)
		get_ipc(d, h, row, instructions, cycles);
	else
		get_work(d, h, row, k / of_unit, k % of_unit);
}

/* ---- columns ---- */

/* clang-format off */
const struct tt_column tt_column[TT_COLUMNS] = {
	[TT_TYPE]     = {.id = "type", .csv = "type", .is_first = true},
	[TT_SCHEMA]   = {.id = "schema"},
	[TT_PROGRAM]  = {.id = "program", .csv = "program", .is_first = true, .is_quoted = true},
	[TT_PID]      = {.id = "pid", .csv = "pid", .is_first = true},
	[TT_RANK]     = {.id = "rank", .csv = "rank", .is_first = true},
	[TT_HOST]     = {.id = "host", .csv = "host", .is_quoted = true},
	[TT_STARTED]  = {.id = "started", .csv = "started"},
	[TT_REPORTED] = {.id = "reported", .csv = "reported"},
	[TT_TID]      = {.id = "tid", .csv = "tid", .is_first = true},
	[TT_LABEL]    = {.id = "label", .csv = "label", .title = "# region", .width = -20, .is_quoted = true},
	[TT_CALLS]    = {.id = "calls", .csv = "calls", .title = "calls", .width = 10},
	[TT_MS]       = {.title = "ms", .width = 12},
	[TT_US_EACH]  = {.title = "us/call", .width = 12},
	[TT_TIME]     = {.id = "time_s", .csv = "time_s"},
};

const struct tt_column tt_part[TT_PARTS] = {
	[TT_SUM]    = {.id = "sum", .csv = "", .width = 16},
	[TT_SELF]   = {.id = "self", .csv = " self"},
	[TT_MEAN]   = {.id = "mean", .csv = " mean", .title = "/call", .width = 12},
	[TT_MIN]    = {.id = "min", .csv = " min"},
	[TT_MAX]    = {.id = "max", .csv = " max"},
	[TT_STDDEV] = {.id = "stddev", .csv = " stddev"},
	[TT_STATE]  = {.id = "state", .csv = " state"},
};

const struct tt_column tt_lack_column[TT_LACK_COLUMNS] = {
	[TT_LACK_KEY]      = {.id = "lack", .csv = "label", .is_quoted = true},
	[TT_LACK_N]        = {.id = "n", .csv = "calls"},
	[TT_LACK_SENTENCE] = {.id = "sentence"},
};
/* clang-format on */
