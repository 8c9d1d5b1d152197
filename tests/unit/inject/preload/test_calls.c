/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The data written by calls and returns, with a clock that the test sets. */
#include <math.h>

#include "inject/preload/calls.h"
#include "tap.h"

enum { QSORT = 1, STRCMP, READ, N = READ };

static struct {
	struct calls_thread thread;
	struct calls_row row[N];
} slot;
static struct calls_state own, none;
static uint64_t now;

bool process_steady;
__thread struct calls_state *calls_state __attribute__((tls_model("initial-exec"))) = &own;

uint64_t process_slow_ticks(void)
{
	return now;
}

static bool stopped;

bool process_has_stopped(void)
{
	return stopped;
}

/* Replaces the library's reader: both events count 3 per tick; at tick 140, the second one is
 * unknown. */
void events_read(struct events *e, struct moment *m)
{
	(void)e;
	m->count[0] = m->count[1] = 3 * now;
	m->unknown = now == 140 ? 2 : 0;
}

struct calls_state *calls_begin_thread(uint32_t function)
{
	(void)function;
	return NULL;
}

static void begin(void)
{
	memset(&slot, 0, sizeof slot);
	own = (struct calls_state){
		.ready = 1, .measured = 1, .here = 1, .slot = &slot.thread, .high = 1000};
	now = 100;
	slot.thread.since = now;
}

static struct calls_call call(uint32_t function, uintptr_t at, uint64_t when)
{
	struct calls_call c = {.own = &own, .at = at};

	now = when;
	calls_enter(&c, function);
	return c;
}

static void leave(struct calls_call *c, uint64_t when)
{
	now = when;
	calls_leave(c);
}

static const struct calls_row *row(uint32_t function)
{
	return &slot.row[function - 1];
}

static void check_row(uint32_t function, uint64_t calls, uint64_t self, uint64_t total)
{
	tap_int(row(function)->calls, calls, "calls of %u", function);
	tap_int(row(function)->self, self, "the time in it");
	tap_int(row(function)->total, total, "and from call to return");
}

static void check_nesting(void)
{
	struct calls_call sort, compare;

	begin();
	sort = call(QSORT, 900, 110);
	for (uint64_t i = 0; i < 3; i++) {
		compare = call(STRCMP, 800, 120 + 10 * i);
		leave(&compare, 124 + 10 * i);
	}
	leave(&sort, 150);
	check_row(QSORT, 1, 40 - 12, 40);
	check_row(STRCMP, 3, 12, 12);
	tap_int(row(STRCMP)->nested, 3, "which were called out of another one");
	tap_int(row(STRCMP)->max, 4, "the longest");
	tap_ok(row(QSORT)->squares == 28 * 28, "the square of what was its own time");
	tap_ok(row(STRCMP)->squares == 3 * 4 * 4, "and those of several calls");
	tap_int(slot.thread.program, 10, "the rest is the program's");
	tap_int(slot.thread.function, 0, "where the thread is again");
	tap_int(slot.thread.sequence % 2, 0, "no process writes");
}

static void check_recursion(void)
{
	struct calls_call outer, inner;

	begin();
	outer = call(QSORT, 900, 100);
	inner = call(QSORT, 800, 110);
	leave(&inner, 120);
	leave(&outer, 130);
	check_row(QSORT, 2, 30, 30);
	tap_ok(row(QSORT)->squares == 20 * 20 + 10 * 10, "each of both has its own time");
}

/* The first calls are left by a jump: the next call begins at the same height of the stack, or
 * higher. */
static void check_jump(void)
{
	struct calls_call next;

	begin();
	call(QSORT, 700, 110);
	call(STRCMP, 600, 120);
	next = call(READ, 800, 150);
	tap_int(own.depth, 1, "frames that were jumped over are gone");
	tap_int(row(READ)->nested, 0, "and what comes then is in none of them");
	leave(&next, 160);
	check_row(QSORT, 1, 10, 40);
	check_row(READ, 1, 10, 10);
	tap_ok(row(QSORT)->squares == 100 && row(STRCMP)->squares == 900,
	       "what was jumped over ends there");
}

static void check_other_stack(void)
{
	struct calls_call reading, handler;

	begin();
	reading = call(READ, 900, 110);
	handler = call(STRCMP, 5000, 120);
	tap_int(own.depth, 2, "a handler on a stack of its own has jumped over nothing");
	leave(&handler, 130);
	leave(&reading, 140);
	check_row(READ, 1, 20, 30);
}

static void check_depth(void)
{
	struct calls_call calls[CALLS_DEPTH + 2];

	begin();
	for (uint32_t i = 0; i < CALLS_DEPTH + 2; i++)
		calls[i] = call(QSORT, 900 - i, 100);
	for (uint32_t i = CALLS_DEPTH + 2; i--;)
		leave(&calls[i], 200);
	check_row(QSORT, CALLS_DEPTH + 2, 100, 100);
	tap_int(slot.thread.n_too_deep, 2, "without a time of their own");
	tap_int(own.depth, 0, "all have returned");
	tap_ok(isnan(row(QSORT)->squares) && row(READ)->squares == 0,
	       "so how these calls differ is not known");
}

/* The memory of a thread is cleared in a child, so the call of fork(2) has no frame there. */
static void check_child(void)
{
	struct calls_call forking;

	begin();
	forking = call(READ, 900, 110);
	memset(&own, 0, sizeof own);
	leave(&forking, 500);
	tap_int(row(READ)->total, 0, "a child returns from no call of its parent");
	begin();
	forking = call(READ, 900, 110);
	calls_state = &none;
	leave(&forking, 500);
	tap_int(row(READ)->total, 0, "nor does another thread");
	calls_state = &own;
}

static void check_counts(void)
{
	static struct events events;
	uint64_t counts[(N + 1) * 2] = {0};
	struct calls_call sort, compare;

	begin();
	events.tt.n = 2;
	own.events = &events;
	own.counts = counts;
	events_read(&events, &own.last);
	sort = call(QSORT, 900, 110);
	compare = call(STRCMP, 800, 120);
	leave(&compare, 124);
	tap_ok(counts[0] == 30 && counts[2 * QSORT] == 30 && counts[2 * STRCMP] == 12,
	       "what was counted is where the thread was");
	leave(&sort, 140);
	tap_ok(counts[2 * QSORT] == 30 + 48 && counts[2 * READ] == 0, "as its time");
	tap_ok(!slot.thread.lacking[0] && slot.thread.lacking[1] == 1,
	       "what was not known once is not known of the thread");
	slot.thread.lacking[1] = 0;
	stopped = true;
	sort = call(QSORT, 900, 140);
	stopped = false;
	tap_int(slot.thread.lacking[1], 0, "the end of measuring makes nothing unknown");
}

static void check_variance(void)
{
	struct calls_row sum = {.calls = 1, .self = 10, .squares = 100};
	const struct calls_row other = {.calls = 3, .self = 60, .squares = 1400};

	tap_ok(isnan(calls_row_variance(&sum)), "one call does not differ");
	calls_row_add(&sum, &other);
	tap_ok(fabs(calls_row_variance(&sum) - 275.0 / 3) < 1e-9, "10 and 10, 20 and 30 do");
	sum.depth = 1;
	tap_ok(isnan(calls_row_variance(&sum)), "unless one has not returned");
	sum.depth = 0;
	sum.squares = 1224;
	tap_ok(calls_row_variance(&sum) == 0, "less than nothing is nothing");
	sum.squares = HUGE_VAL;
	tap_ok(isnan(calls_row_variance(&sum)), "what is not a number is not known");
}

int main(void)
{
	check_nesting();
	check_recursion();
	check_jump();
	check_other_stack();
	check_depth();
	check_child();
	check_counts();
	check_variance();
	return tap_done();
}
