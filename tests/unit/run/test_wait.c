/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Waiting: for descriptors, and until the earliest deadline.
 */
#include <limits.h>
#include <poll.h>
#include <unistd.h>

#include "base/clock.h"
#include "run/wait.h"
#include "tap.h"

#define HOUR_NS 3600000000000u

/* Counts its calls, and keeps the last descriptor. */
struct calls {
	int n, fd;
};

static int count(void *context, int fd, struct err *err)
{
	struct calls *calls = context;

	(void)err;
	calls->n++;
	calls->fd = fd;
	return 0;
}

static void test_descriptors(void)
{
	struct calls ready = {.n = 0}, late = {.n = 0};
	struct wait wait = WAIT_INIT;
	struct err err = ERR_INIT;
	bool done = false;
	int ends[2];

	if (!tap_ok(!pipe(ends) && write(ends[1], "x", 1) == 1, "a pipe with a byte"))
		return;
	wait_add(&wait, -1, POLLIN, count, &late);
	tap_int((int)wait.n, 0, "no descriptor, nothing to wait for");
	wait_add(&wait, ends[0], POLLIN, count, &ready);
	wait_until(&wait, 1, count, &late);
	tap_int(wait_run(&wait, &done, &err), 0, "a descriptor is ready");
	tap_int(ready.n, 1, "its function is called");
	tap_int(ready.fd, ends[0], "with the descriptor");
	tap_int(late.n, 0, "and not that of a moment that has passed, too");
	wait_done(&wait);
	close(ends[0]), close(ends[1]);
}

static void test_moments(void)
{
	struct calls first = {.n = 0}, second = {.n = 0};
	struct wait wait = WAIT_INIT;
	struct err err = ERR_INIT;
	bool done = false;

	wait_until(&wait, 0, count, &second);
	tap_ok(!wait.until_ns, "0 is no moment");
	wait_until(&wait, 2, count, &first);
	wait_until(&wait, HOUR_NS + clock_ns(CLOCK_MONOTONIC), count, &second);
	tap_int(wait_run(&wait, &done, &err), 0, "the earlier one ends the wait");
	tap_int(first.n * 10 + second.n, 10, "and its function alone is called");
	tap_int(first.fd, -1, "without a descriptor");
	wait_until(&wait, 1, NULL, NULL);
	tap_int(wait_run(&wait, &done, &err), 0, "one that is earlier still, added later");
	tap_int(first.n * 10 + second.n, 10, "has no function: the wait only ends");
	wait_reset(&wait);
	tap_ok(!wait.until_ns && !wait.late.ready, "none is left for the next wait");
	wait_done(&wait);
}

static void test_time(void)
{
	const int ms = wait_ms_until(clock_ns(CLOCK_MONOTONIC) + HOUR_NS);

	tap_int(wait_ms_until(0), -1, "no moment: for ever");
	tap_int(wait_ms_until(1), 0, "one that has passed: not at all");
	tap_ok(ms > 3000000 && ms <= 3600000, "an hour");
	tap_int(wait_ms_until(clock_ns(CLOCK_MONOTONIC) + 25 * 24 * HOUR_NS), INT_MAX,
		"25 days: as long as poll(2) can");
	tap_int(wait_ms_until(UINT64_MAX), INT_MAX, "and the last moment of all");
}

int main(void)
{
	test_descriptors();
	test_moments();
	test_time();
	return tap_done();
}
