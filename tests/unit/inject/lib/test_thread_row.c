/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The row of a region's calls: how it yields each number of a report, and the sum of rows. */
#include "inject/lib/thread.h"

#include <math.h>
#include <stdlib.h>

#include "tap.h"

#define EVENTS 2

/* The quantities of a row follow it in memory. */
union row {
	struct table_row row;
	char room[sizeof(struct table_row) + (1 + EVENTS) * sizeof(struct table_quantity)];
};

static void add(union row *r, uint64_t ticks, uint64_t a, uint64_t b)
{
	const struct tt_call call = {
		.row = &r->row, .outermost = true, .known = 7, .total = {ticks, a, b}};

	tt_row_add(&call, EVENTS);
}

static struct table_quantity *quantity(union row *r, uint32_t i)
{
	return table_quantity(&r->row, i);
}

static uint64_t sum(union row *r, uint32_t i)
{
	return table_sum(&r->row, quantity(r, i));
}

static uint64_t self(union row *r, uint32_t i)
{
	return table_self(&r->row, quantity(r, i));
}

static double variance(union row *r, uint32_t i)
{
	const struct table_quantity *q = quantity(r, i);
	const double n = (double)table_n(&r->row, q), off = (double)(int64_t)q->shifted / n;

	return q->squares / n - off * off;
}

static void check_sums(void)
{
	union row r = {.room = {0}};

	add(&r, 10, 1ull << 40, 0);
	add(&r, 30, (1ull << 40) + 6, 1);
	add(&r, 20, (1ull << 40) - 3, 5);
	tap_int(table_n(&r.row, quantity(&r, 1)), 3, "three calls");
	tap_int(sum(&r, 0), 60, "their time");
	tap_ok(sum(&r, 1) == 3 * (1ull << 40) + 3, "a sum of large numbers, to the last one");
	tap_int(sum(&r, 2), 6, "one that begins at 0");
	tap_int(quantity(&r, 0)->min, 10, "the shortest");
	tap_int(quantity(&r, 0)->max, 30, "the longest");
	tap_num(variance(&r, 1), 14, "the variance loses nothing of large numbers");
	tap_num(variance(&r, 2), 14.0 / 3, "by the definition");
	tap_int(quantity(&r, 2)->min, 0, "0 is a number");
}

static void check_buckets(void)
{
	tap_int(row_bucket(0), 0, "0 has a bucket of its own");
	tap_int(row_bucket(1), 1, "1");
	tap_int(row_bucket(2), 2, "2");
	tap_int(row_bucket(3), 2, "and 3 are in one");
	tap_int(row_bucket(1ull << 40), 41, "a power of two begins one");
	tap_int(row_bucket((1ull << 40) - 1), 40, "what is below it ends one");
	tap_int(row_bucket((1ull << 63) - 1), 63, "the largest");
	tap_ok(row_bucket(UINT64_MAX) < TABLE_BUCKETS, "no number is outside of the table");
}

/* Nested and scaled calls, and an event without a number. */
static void check_unusual(void)
{
	union row r = {.room = {0}};
	const struct tt_call inner = {
		.row = &r.row, .outermost = false, .known = 3, .total = {40, 400}};
	const struct tt_call outer = {.row = &r.row,
				      .outermost = true,
				      .has_inner = true,
				      .known = 3,
				      .scaled = 2,
				      .total = {100, 1000},
				      .inner = {60, 600},
				      .estimated = {0, 250},
				      .missed = {0, 25}};

	tt_row_add(&inner, EVENTS);
	tt_row_add(&outer, EVENTS);
	tap_int(sum(&r, 1), 1000, "a call inside of another one of the same region counts once");
	tap_int(self(&r, 1), 800, "what is in a call is not its own");
	tap_int(quantity(&r, 1)->max, 1000, "but of a call");
	tap_int(quantity(&r, 1)->min, 400, "each counts");
	tap_int(quantity(&r, 1)->n_scaled, 1, "an estimate is remembered");
	tap_int(quantity(&r, 0)->n_scaled, 0, "the time is none");
	tap_int(quantity(&r, 1)->estimated, 250, "and what of it was not counted");
	tap_int(quantity(&r, 1)->missed, 25, "for how long");
	tap_int(table_n(&r.row, quantity(&r, 2)), 0, "an event without a number has no call");
	tap_int(sum(&r, 2), 0, "nor a sum");
	tap_ok(quantity(&r, 2)->min > quantity(&r, 2)->max, "nor a least one");
	tap_int(r.row.calls, 2, "calls are counted");
	tap_num(table_scale(&r.row, quantity(&r, 0), quantity(&r, 0)), 1, "all time is known");
	tap_num(table_scale(&r.row, quantity(&r, 0), quantity(&r, 1)), 100 / 75.0,
		"of an event, a quarter of the time is not");
}

/* During short calls the counter may never be on the PMU. Their counts are extrapolated from other
 * calls. */
static void check_off(void)
{
	union row r = {.room = {0}};
	const struct tt_call off = {
		.row = &r.row, .outermost = true, .known = 5, .off = 2, .total = {100, 0, 7}};

	tt_row_add(&off, EVENTS);
	tap_num(table_scale(&r.row, quantity(&r, 0), quantity(&r, 1)), 0, "nothing is known");
	add(&r, 100, 40, 7);
	add(&r, 200, 80, 7);
	tap_int(quantity(&r, 1)->n_off, 1, "one call without its counter");
	tap_int(table_n(&r.row, quantity(&r, 1)), 2, "two calls have a number");
	tap_int(sum(&r, 1), 120, "which is their sum");
	tap_num(table_scale(&r.row, quantity(&r, 0), quantity(&r, 1)), 4 / 3.0,
		"in three quarters of the time");
	tap_num(table_scale(&r.row, quantity(&r, 0), quantity(&r, 2)), 1, "another event has all");
}

/* The sum of rows of threads equals one row of all their calls. */
static void check_merge(void)
{
	union row all = {.room = {0}}, one = {.room = {0}}, two = {.room = {0}};
	union row merged = {.room = {0}};
	unsigned seed = 3;

	for (int i = 0; i < 1000; i++) {
		const uint64_t a = 1000000000 + (uint64_t)(rand_r(&seed) % 1000);
		const uint64_t b = (uint64_t)(rand_r(&seed) % 100);

		add(&all, 5, a, b);
		add(i % 3 ? &one : &two, 5, a, b);
	}
	tt_table_add(&merged.row, &one.row, EVENTS);
	tt_table_add(&merged.row, &two.row, EVENTS);
	tap_int(sum(&merged, 1), (long long)sum(&all, 1), "the sum of two threads");
	tap_int(self(&merged, 2), (long long)self(&all, 2), "without what is in them");
	tap_ok(fabs(variance(&merged, 1) - variance(&all, 1)) < 1e-6 * variance(&all, 1),
	       "their variance: %g, %g", variance(&merged, 1), variance(&all, 1));
	tap_int(quantity(&merged, 1)->min, (long long)quantity(&all, 1)->min, "the least");
	tap_int(quantity(&merged, 1)->max, (long long)quantity(&all, 1)->max, "the most");
	tap_int(quantity(&merged, 2)->bucket[5], (long long)quantity(&all, 2)->bucket[5],
		"the histogram");
	tap_int(merged.row.calls, 1000, "all calls");
}

int main(void)
{
	check_sums();
	check_buckets();
	check_unusual();
	check_off();
	check_merge();
	return tap_done();
}
