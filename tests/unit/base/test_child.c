/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Waiting for the end of a child: its status, a time limit, interruptions; and a missing
 * program. */
#include "base/child.h"

#include <errno.h>
#include <signal.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "tap.h"

/* Starts a child that exits with this status after ms milliseconds. */
static pid_t start(int status, long ms)
{
	const struct timespec time = {.tv_sec = ms / 1000, .tv_nsec = ms % 1000 * 1000000};
	const pid_t pid = fork();

	if (!pid) {
		nanosleep(&time, NULL);
		_exit(status);
	}
	return pid;
}

static void do_nothing(int number)
{
	(void)number;
}

static void test_ends(void)
{
	pid_t pid = start(3, 0);
	int status = 0;

	tap_int(child_await(pid, CHILD_NO_LIMIT, &status), 0, "a child that ends");
	tap_int(WEXITSTATUS(status), 3, "with its status");
	tap_int(child_await(pid, 1000, NULL), -ECHILD, "it is reaped once");
	tap_int(child_finish(pid, 0), CHILD_LOST, "and not killed then");
	tap_int(child_await(-1, 0, NULL), -ECHILD, "no child at all");
	pid = start(0, 20);
	tap_int(child_await(pid, 60000, &status), 0, "within the limit");
	pid = start(5, 20);
	tap_int(WEXITSTATUS(child_finish(pid, 60000)), 5, "one that ends is not killed");
}

static void test_limit(void)
{
	const uint64_t begin = clock_ns(CLOCK_MONOTONIC);
	const pid_t pid = start(0, 100000);
	uint64_t took;

	tap_int(child_await(pid, 30, NULL), -ETIMEDOUT, "a child that goes on");
	took = clock_ns(CLOCK_MONOTONIC) - begin;
	tap_ok(took >= 30000000 && took < 50000000000, "is waited for until the limit");
	tap_int(WTERMSIG(child_finish(pid, 0)), SIGKILL, "and killed where it is to end");
}

/* A timer interrupts the wait repeatedly. */
static void test_interrupted(void)
{
	const struct itimerval often = {{0, 1000}, {0, 1000}}, never = {{0, 0}, {0, 0}};
	const struct sigaction handler = {.sa_handler = do_nothing},
			       standard = {.sa_handler = SIG_DFL};
	pid_t pid = start(7, 30);
	int status = 0;

	sigaction(SIGALRM, &handler, NULL);
	setitimer(ITIMER_REAL, &often, NULL);
	tap_int(child_await(pid, CHILD_NO_LIMIT, &status), 0, "an interrupted wait goes on");
	tap_int(WEXITSTATUS(status), 7, "to the end");
	pid = start(8, 30);
	tap_int(child_await(pid, 60000, &status), 0, "and so does one with a limit");
	setitimer(ITIMER_REAL, &never, NULL);
	sigaction(SIGALRM, &standard, NULL);
}

int main(void)
{
	test_ends();
	test_limit();
	test_interrupted();
	return tap_done();
}
