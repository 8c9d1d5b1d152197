/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The times at which lines are due, by a clock that the test sets: late lines do not shift the
 * schedule. On the kernel's clock all these times are past, so the timer is due at once.
 */
#include "run/wait.h"

#include <poll.h>

#include "tap.h"

#define MS 1000000ull

static uint64_t clock_ms;

static uint64_t scripted(void)
{
	return clock_ms * MS;
}

/* A line is due at now_ms. Returns when the next one is due, in ms. */
static uint64_t take(struct pace *p, uint64_t now_ms)
{
	struct pollfd timer = {.fd = p->timer_fd, .events = POLLIN};
	struct err err = ERR_INIT;
	bool due = false;

	clock_ms = now_ms;
	poll(&timer, 1, -1);
	tap_int(pace_read_timer(p, &due, &err), 0, "at %d ms: %s", (int)now_ms, err.text);
	tap_ok(due, "a line is due");
	return rotation_end_ns(&p->rotation) / MS;
}

static void test_deadlines(void)
{
	struct pace p = {.whole = true, .now = scripted};
	struct err err = ERR_INIT;

	clock_ms = 100;
	tap_int(pace_begin(&p, NULL, &err), 0, "begins: %s", err.text);
	tap_int(pace_start(&p, 0.5, 0.25, &err), 0, "starts: %s", err.text);
	tap_int(rotation_end_ns(&p.rotation) / MS, 600, "the first interval is a whole one");
	tap_int(take(&p, 600), 1100, "a line in time");
	tap_int(take(&p, 1490), 1600, "one that is late makes the next one no later");
	tap_int(take(&p, 1600), 2100, "which is in time");
	tap_int(take(&p, 3350), 3600,
		"what has passed meanwhile is passed over, and not made good");
	tap_int(take(&p, 3600), 4100, "and the one behind it has its time");
	tap_int(pace_start(&p, 1, 0.25, &err), 0, "another delay");
	tap_int(rotation_end_ns(&p.rotation) / MS, 4600, "begins now");
	pace_end(&p);
}

int main(void)
{
	test_deadlines();
	return tap_done();
}
