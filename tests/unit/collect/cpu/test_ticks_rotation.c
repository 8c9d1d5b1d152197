/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The rotation of sets, by a clock that the test sets. */
#include "collect/cpu/ticks.h"

#include "tap.h"

#define SECOND 1000000000ull

static void check(const struct rotation *t, int set, uint64_t start_ns, uint64_t end_ns,
		  const char *what)
{
	tap_int(rotation_set(t), set, "%s: the set", what);
	tap_int(rotation_start_ns(t), start_ns, "%s: its start", what);
	tap_int(rotation_end_ns(t), end_ns, "%s: its end", what);
}

static void test_in_time(void)
{
	struct rotation t;

	rotation_begin(&t, 2, 1, 0, 100);
	check(&t, 0, 100, 100 + SECOND, "the first turn");
	/* Each call is 7 ms late, but the turn still ends at its planned time. */
	tap_int(rotation_next(&t, 100 + SECOND + 7000000), 0, "nothing is passed over");
	check(&t, 1, 100 + SECOND, 100 + 2 * SECOND, "the second turn");
	tap_int(rotation_next(&t, 100 + 2 * SECOND + 7000000), 0, "nothing is passed over");
	check(&t, 0, 100 + 2 * SECOND, 100 + 3 * SECOND, "the first set again");
	tap_int(rotation_cycle(&t), 1, "in the next cycle");
}

/* A late call skips turns whose end has passed, but does not move the ends of later turns. */
static void test_late(void)
{
	struct rotation t;

	rotation_begin(&t, 1, 1, 0, 0);
	tap_int(rotation_next(&t, 3 * SECOND + 1), 2, "two turns have ended meanwhile");
	check(&t, 0, 3 * SECOND, 4 * SECOND, "the one that goes on");
	rotation_begin(&t, 2, 1, 0, 0);
	tap_int(rotation_next(&t, 2 * SECOND), 1, "one that ends just now has ended");
	check(&t, 0, 2 * SECOND, 3 * SECOND, "the one that begins");
}

static void test_period(void)
{
	struct rotation t;

	rotation_begin(&t, 2, 1, 5, 0);
	rotation_next(&t, SECOND);
	check(&t, 1, SECOND, 2 * SECOND, "the second turn follows at once");
	tap_int(rotation_next(&t, 2 * SECOND), 0, "nothing is passed over in the pause");
	check(&t, 0, 5 * SECOND, 6 * SECOND, "the next cycle begins with the period");
	tap_int(rotation_next(&t, 11 * SECOND + SECOND / 2), 2,
		"the late one: both that have ended");
	check(&t, 1, 11 * SECOND, 12 * SECOND, "the turn after these");
	rotation_begin(&t, 2, 1, 1.5, 0);
	rotation_next(&t, SECOND);
	rotation_next(&t, 2 * SECOND);
	check(&t, 0, 2 * SECOND, 3 * SECOND, "a period shorter than a cycle is none");
}

int main(void)
{
	test_in_time();
	test_late();
	test_period();
	return tap_done();
}
