/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * victim switches|compute N - a program that a monitor slows down, on one CPU.
 *
 *   switches   passes a byte to another process and back N times: two context switches each
 *   compute    N steps of arithmetic
 *
 * Prints "ready", waits for a line on standard input, does the work and prints its CPU time in ns,
 * the sum of both processes.
 */
#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static _Noreturn void die(const char *what)
{
	fprintf(stderr, "victim: %s: %s\n", what, strerror(errno));
	exit(1);
}

static int64_t clock_ns(clockid_t id)
{
	struct timespec t;

	if (clock_gettime(id, &t))
		die("clock_gettime");
	return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

/* Binds the process to the last allowed CPU: two processes on one CPU must switch. */
static void stay_on_one_cpu(void)
{
	cpu_set_t set, one;
	int last = -1;

	if (sched_getaffinity(0, sizeof set, &set))
		die("sched_getaffinity");
	for (int i = 0; i < CPU_SETSIZE; i++)
		if (CPU_ISSET(i, &set))
			last = i;
	CPU_ZERO(&one);
	CPU_SET(last, &one);
	if (sched_setaffinity(0, sizeof one, &one))
		die("sched_setaffinity");
}

static void await_order(void)
{
	char c;

	puts("ready");
	fflush(stdout);
	if (read(STDIN_FILENO, &c, 1) != 1)
		exit(0);
}

/* Sends each byte back; returns at the end of the pipe. */
static void answer(int from, int to)
{
	char c;

	while (read(from, &c, 1) == 1)
		if (write(to, &c, 1) != 1)
			die("write");
}

static void ask(int from, int to, long n)
{
	char c = 'x';

	for (long i = 0; i < n; i++)
		if (write(to, &c, 1) != 1 || read(from, &c, 1) != 1)
			die("the other process");
}

static int64_t measure_switches(long n)
{
	clockid_t own = CLOCK_PROCESS_CPUTIME_ID, other;
	int there[2], back[2];
	int64_t before;
	pid_t pid;

	if (pipe(there) || pipe(back))
		die("pipe");
	pid = fork();
	if (pid < 0)
		die("fork");
	if (pid == 0) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		close(there[1]);
		answer(there[0], back[1]);
		_exit(0);
	}
	if (clock_getcpuclockid(pid, &other))
		die("clock_getcpuclockid");
	await_order();
	before = clock_ns(own) + clock_ns(other);
	ask(back[0], there[1], n);
	return clock_ns(own) + clock_ns(other) - before;
}

static int64_t measure_compute(long n)
{
	volatile uint64_t result;
	uint64_t x = 88172645463325252u;
	int64_t before;

	await_order();
	before = clock_ns(CLOCK_PROCESS_CPUTIME_ID);
	for (long i = 0; i < n; i++) {
		x ^= x << 13;
		x ^= x >> 7;
		x ^= x << 17;
	}
	result = x;
	(void)result;
	return clock_ns(CLOCK_PROCESS_CPUTIME_ID) - before;
}

int main(int argc, char **argv)
{
	long n = argc == 3 ? strtol(argv[2], NULL, 10) : 0;

	if (n < 1 || (strcmp(argv[1], "switches") != 0 && strcmp(argv[1], "compute") != 0)) {
		fprintf(stderr, "usage: victim switches|compute N\n");
		return 2;
	}
	stay_on_one_cpu();
	printf("%lld\n", (long long)(argv[1][0] == 's' ? measure_switches(n) : measure_compute(n)));
	return 0;
}
