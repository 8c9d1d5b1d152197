/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Asynchronous calls: their thread does other work while they wait, and they end in any order. A
 * reader of this test simulates events. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "inject/lib/figures.h"
#include "own_regions.h"
#include "played_regions.h"
#include "tap.h"

TT_REGION(outer, "outer");
TT_REGION(request, "request");
TT_REGION(parse, "parse");

static struct tt_figure figure(const struct tt_region *of)
{
	return tt_figure_of(tt_regions.header, row(of), 1);
}

/* Clears the rows of the regions, and the error counts in the slot of the thread. */
static void begin_check(void)
{
	struct tt_region *const all[] = {&outer, &request, &parse};

	forget_calls(all, sizeof all / sizeof *all);
	memset(&slot()->n_unmatched, 0, sizeof *slot() - offsetof(struct table_slot, n_unmatched));
}

static void is_idle(const char *what)
{
	tap_ok(tt_local.thread->top == &tt_local.thread->frame[1] && !row(&outer)->depth &&
		       !row(&request)->depth && !row(&request)->n_async && !row(&parse)->depth &&
		       !slot()->n_abandoned && !slot()->n_unmatched,
	       "%s: no call goes on, and none is lost", what);
}

static void run_parse(uint64_t n)
{
	TT_BEGIN(parse);
	counter += n;
	TT_END(parse);
}

/* Two calls of which the first ends first. Each step is interleaved with a region. */
static void check_order(void)
{
	uint64_t first, second;

	begin_check();
	TT_BEGIN(outer);
	first = tt_async_begin(&request);
	run_parse(10);
	second = tt_async_begin(&request);
	run_parse(20);
	counter += 1;
	tt_async_end(first, TT_WAITED);
	run_parse(40);
	tt_async_end(second, TT_WAITED);
	counter += 2;
	TT_END(outer);
	tap_int(row(&request)->calls, 2, "both calls count");
	tap_int(row(&request)->n_waited, 2, "and have waited");
	tap_int(table_n(row(&request), table_quantity(row(&request), 0)), 2, "they have a time");
	tap_ok(!figure(&request).known && !figure(&request).whole, "and no counts");
	tap_str(figure(&request).state, "waited", "whose state says why");
	tap_int(row(&request)->n_nested, 0, "neither is in the other one");
	tap_int(sum(&parse), 70, "the region in them has all");
	tap_int(sum(&outer), 73, "so has the one around them");
	tap_int(self(&outer), 3, "without the region in them");
	is_idle("in order");
}

/* A synchronous region ends while an asynchronous call within it goes on, and begins again before
 * that call ends. */
static void check_steps(void)
{
	uint64_t call;

	begin_check();
	TT_BEGIN(outer);
	counter += 1;
	call = tt_async_begin(&request);
	run_parse(10);
	TT_END(outer);
	tap_int(row(&outer)->calls, 1, "what is around a call that waits ends before it");
	tap_int(sum(&outer), 11, "with what it has counted");
	TT_BEGIN(outer);
	run_parse(20);
	tt_async_end(call, TT_WAITED);
	counter += 2;
	TT_END(outer);
	tap_int(row(&outer)->calls, 2, "it begins again");
	tap_int(sum(&outer), 33, "and goes on when the call ends");
	tap_int(row(&request)->calls, 1, "which counts");
	is_idle("in steps");
}

/* Asynchronous calls that did not wait have counts, as other regions have, also beside calls of the
 * same region that did wait. */
static void check_plain(void)
{
	uint64_t waiting, inner, call;

	begin_check();
	waiting = tt_async_begin(&request);
	TT_BEGIN(outer);
	call = tt_async_begin(&request);
	counter += 5;
	run_parse(10);
	inner = tt_async_begin(&request);
	counter += 1;
	tt_async_end(inner, TT_NESTED);
	tt_async_end(call, 0);
	TT_END(outer);
	TT_BEGIN(request);
	counter += 100;
	TT_END(request);
	tt_async_end(waiting, TT_WAITED);
	tap_int(sum(&request), 16 + 100, "calls that do not wait have their counts");
	tap_int(row(&request)->n_nested, 1, "one of them is in another one");
	tap_int(self(&outer), 0, "and they are a part of the region around them");
	tap_ok(figure(&request).known && !figure(&request).whole,
	       "beside one that has waited, there is a mean, and no sum");
	is_idle("beside another one");
}

static void check_bounds(void)
{
	static uint64_t call[THREAD_DEPTH + 3];

	begin_check();
	for (int i = 0; i < THREAD_DEPTH + 3; i++)
		call[i] = tt_async_begin(&request);
	for (int i = 0; i < THREAD_DEPTH + 3; i++)
		tt_async_end(call[i], TT_WAITED);
	tap_int(row(&request)->calls, THREAD_DEPTH, "as many may wait as there is room for");
	tap_int(slot()->n_too_deep, 3, "the others are counted");
	is_idle("at the bound");
	tt_async_end(call[0], TT_WAITED);
	tap_int(slot()->n_unmatched, 1, "an end without its call is counted");
}

static void check_control(void)
{
	uint64_t call;

	begin_check();
	call = tt_async_begin(&request);
	tt_stop();
	tt_start();
	tt_async_end(call, TT_WAITED);
	tap_int(row(&request)->calls, 0, "a call that goes on at an end of measuring");
	tap_int(slot()->n_abandoned, 1, "is abandoned");
	begin_check();
	call = tt_async_begin(&request);
	tt_reset(NULL);
	run_parse(1);
	tt_async_end(call, 0);
	run_parse(2);
	tap_int(sum(&parse), 3, "a reset: what goes on is left out");
	TT_BEGIN(request);
	TT_END(request);
	tap_int(row(&request)->calls, 1, "and later calls count");
	is_idle("behind a reset");
}

int main(int argc, char **argv)
{
	(void)argc;
	if (!getenv("TIPTOP_REGIONS"))
		return own_regions_execute(argv);
	TT_BEGIN(outer);
	TT_END(outer);
	tt_local.thread->read = play;
	check_order();
	check_steps();
	check_plain();
	check_bounds();
	check_control();
	return tap_done();
}
