/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "base/child.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdint.h>
#include <sys/wait.h>
#include <time.h>

#include "base/clock.h"

#define LONGEST_MS 16 /* the longest pause between two polls */

/* Returns 1 if the child was reaped, 0 if it still runs, or -errno. */
static int reap(pid_t pid, int *status, int options)
{
	pid_t reaped;

	do
		reaped = waitpid(pid, status, options);
	while (reaped < 0 && errno == EINTR);
	return reaped < 0 ? -errno : reaped > 0;
}

/* Polls until the child is reaped or the time is up. The pauses begin short, since most children
 * end at once. Returns as reap() does. */
static int reap_until(pid_t pid, int *status, uint64_t until_ns)
{
	int ms = 1, ret;

	while (!(ret = reap(pid, status, WNOHANG)) && clock_ns(CLOCK_MONOTONIC) < until_ns) {
		poll(NULL, 0, ms);
		ms *= ms < LONGEST_MS ? 2 : 1;
	}
	return ret;
}

int child_await(pid_t pid, int limit_ms, int *status)
{
	int ignored, *to = status ? status : &ignored, ret;

	if (pid <= 0)
		return -ECHILD;
	if (limit_ms < 0)
		ret = reap(pid, to, 0);
	else
		ret = reap_until(pid, to, clock_ns(CLOCK_MONOTONIC) + (uint64_t)limit_ms * 1000000);
	return ret < 0 ? ret : ret ? 0 : -ETIMEDOUT;
}

int child_finish(pid_t pid, int limit_ms)
{
	int status = CHILD_LOST;
	int ret = child_await(pid, limit_ms, &status);

	if (ret == -ETIMEDOUT && !kill(pid, SIGKILL))
		ret = child_await(pid, CHILD_NO_LIMIT, &status);
	return ret ? CHILD_LOST : status;
}
