/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The sums of a region whose event was not counted in all calls, or not all the time. */
#include "inject/lib/figures.h"

#include <string.h>

#include "inject/lib/thread.h"
#include "tap.h"

static struct table_header header = {
	.ns_per_tick = 1ull << 32,
	.n_events = 1,
	.event = {{.name = "misses"}},
};
static uint64_t space[TABLE_ROW_WORDS];
static struct table_row *const row = (void *)space;

/* Adds a call; n < 0: the event has no number. */
static void add(uint64_t ns, long long n)
{
	const struct tt_call call = {.row = row,
				     .outermost = true,
				     .known = n < 0 ? 1 : 3,
				     .total = {ns, n < 0 ? 0 : (uint64_t)n}};

	tt_row_add(&call, 1);
}

/* Adds a call during which the counter was never on the PMU. */
static void add_off(uint64_t ns)
{
	const struct tt_call call = {
		.row = row, .outermost = true, .known = 1, .off = 2, .total = {ns, 0}};

	tt_row_add(&call, 1);
}

/* A thread whose counter could not be opened: the other threads have no sum over all calls. */
static void check_some(void)
{
	struct tt_figure f;

	memset(space, 0, sizeof space);
	add(100, 10);
	f = tt_figure_of(&header, row, 1);
	tap_ok(f.whole && f.sum == 10, "one call has a number, the only one");
	tap_str(f.state, "exact", "which is exact");
	add(100, -1);
	f = tt_figure_of(&header, row, 1);
	tap_ok(!f.whole, "without a number for each call, their sum is unknown");
	tap_ok(f.known, "those that have one have a mean");
	tap_num(f.mean, 10, "of a call");
	tap_str(f.state, "unread", "and the state says it");
	f = tt_figure_of(&header, row, 0);
	tap_ok(f.whole && f.sum == 200, "the time is that of all calls");
}

static void check_off(void)
{
	struct tt_figure f;

	memset(space, 0, sizeof space);
	add(100, 10);
	add_off(100);
	f = tt_figure_of(&header, row, 1);
	tap_ok(f.whole && f.scaled, "calls without the counter are estimated");
	tap_int((long long)f.sum, 20, "from the others");
	tap_int((long long)f.self, 20, "without a region inside, all of it is its own");
	table_quantity(row, 1)->inner = 4;
	f = tt_figure_of(&header, row, 1);
	tap_int((long long)f.sum, 20, "with one inside, the sum is the same");
	tap_int((long long)f.self, 12, "its own part is estimated, too");
	add(100, -1);
	tap_ok(!tt_figure_of(&header, row, 1).whole, "a call that is unknown otherwise is not");
	memset(space, 0, sizeof space);
	add_off(100);
	tap_str(tt_figure_of(&header, row, 1).state, "off", "nothing to estimate it from");
}

/* Returns a time in ns. tick: in units of 2^-32 ns. */
static long long ns_of(uint64_t tick, uint64_t ticks)
{
	const struct table_header h = {.ns_per_tick = tick};

	return (long long)tt_ns_of(&h, ticks);
}

/* A tick of the clock takes 1 ns or longer on Arm and RISC-V, less on x86. */
static void check_ticks(void)
{
	const uint64_t ns = 1ull << 32;

	tap_int(ns_of(40 * ns, 25000000), 1000000000, "a second in ticks of 40 ns");
	tap_int(ns_of(40 * ns, 86400 * 25000000ull), 86400 * 1000000000ll, "a day in such ticks");
	tap_int(ns_of(8 * ns + ns / 2, UINT32_MAX), 8 * (long long)UINT32_MAX + INT32_MAX,
		"ticks of 8.5 ns");
	tap_int(ns_of(ns / 4, 86400 * 4000000000ull), 86400 * 1000000000ll, "a day in short ticks");
}

int main(void)
{
	check_ticks();
	check_some();
	check_off();
	return tap_done();
}
