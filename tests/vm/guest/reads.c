/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * reads - counters read in user space by libtiptop, beside what the kernel says, to the
 * instruction. Prints the results as lines of tests. On this machine an instruction takes one
 * cycle.
 *
 *   reads cost    what a reading takes; by root
 *   reads region N   what begin and end of a region take, N instructions at most; by root
 *   reads live    runs a region for some time
 *   reads STATE   STATE: 0 where user space may read counters, 1 where it may not (enum tt_state)
 */
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <tiptop.h>
#include <unistd.h>

#define N 10000

static int state;

static void ok(int good, const char *name)
{
	printf("%s - library: %s\n", good ? "ok" : "not ok", name);
	fflush(stdout);
}

/* Executes 2 n instructions, and always as many beside them. */
__attribute__((noinline)) static void loop(uint64_t n)
{
	__asm__ volatile("1: subs %0, %0, #1\n\tb.ne 1b" : "+r"(n) : : "cc");
}

/* Returns the count of event i between two readings with n rounds of work in between. */
static int64_t count_loop(struct tt *t, int i, uint64_t n)
{
	struct tt_value before[TT_MAX_EVENTS], after[TT_MAX_EVENTS];

	tt_read(t, before);
	loop(n);
	tt_read(t, after);
	return (int64_t)(after[i].count - before[i].count);
}

/* A reading in which the thread loses its processor begins once more, which costs instructions that
 * are counted, too. */
static int fits(int64_t n, int64_t want)
{
	return n == want || (n > want && n < want + 1000);
}

/* How many of a number of regions of different lengths cost other than `around` instructions more
 * than their loop. */
static int count_wrong(struct tt *t, int64_t around, int n, unsigned seed)
{
	int wrong = 0;

	for (int k = 0; k < n; k++) {
		uint64_t rounds = 1 + (uint64_t)(rand_r(&seed) % 5000);

		int64_t n = count_loop(t, 0, rounds) - around - 2 * (int64_t)rounds;
		wrong += !fits(n, 0);
	}
	return wrong;
}

static void check_regions(struct tt *t, int64_t around)
{
	struct tt_value a[2], b[2];
	int64_t read_cost;

	ok(!count_wrong(t, around, N, 1), "10,000 regions, each to the instruction");
	tt_read(t, a);
	tt_read(t, b);
	read_cost = (int64_t)(b[0].count - a[0].count);
	printf("# a reading of two counters takes %lld instructions\n", (long long)read_cost);
	ok(state || read_cost <= 130, "two counters are read in at most 130 instructions");
}

/* Both events count all the time. Their counts differ by the count of the first event before the
 * second was opened, and by the instructions between the two readings: more, if a reading has to
 * begin again. */
#define BETWEEN 50

static void check_together(struct tt *t, const char *name)
{
	int64_t apart = 0;
	int wrong = 0;

	for (int k = 0; k < N; k++) {
		struct tt_value v[2];
		int64_t n;

		tt_read(t, v);
		n = (int64_t)(v[1].count - v[0].count);
		if (!k)
			apart = n;
		if (llabs(n - apart) > BETWEEN) {
			wrong++;
			printf("# reading %d: %lld more cycles\n", k, (long long)(n - apart));
		}
		loop(500);
	}
	ok(!wrong, name);
}

/* The thread loses its processor in the middle of readings: those begin once more, which costs
 * instructions, and still both counters are of one moment. */
static void check_preemption(struct tt *t)
{
	struct tt_value last[2], next[2];
	int64_t usual, apart;
	int again = 0, wrong = 0;

	tt_read(t, last);
	tt_read(t, next);
	usual = (int64_t)(next[0].count - last[0].count);
	apart = (int64_t)(next[1].count - next[0].count);
	for (int k = 0; k < 100 * N; k++) {
		memcpy(last, next, sizeof last);
		tt_read(t, next);
		/* The loop around tt_read() takes some instructions, too: at most BETWEEN. */
		again += (int64_t)(next[0].count - last[0].count) > usual + BETWEEN;
		wrong += llabs((int64_t)(next[1].count - next[0].count) - apart) > BETWEEN;
	}
	printf("# of %d readings %d began once more\n", 100 * N, again);
	ok(!wrong && (state || again > 3), "a processor that is lost between two counters");
}

static void *run_thread(void *arg)
{
	struct tt *t = tt_open("instructions,cycles");
	int64_t around = count_loop(t, 0, 1) - 2;

	around = count_loop(t, 0, 1) - 2;
	*(int *)arg = tt_state(t, 0) == (enum tt_state)state
			      ? count_wrong(t, around, N / 10, *(unsigned *)arg)
			      : -1;
	tt_close(t);
	return NULL;
}

static void check_threads(void)
{
	int result[8];
	pthread_t thread[8];
	int wrong = 0;

	for (int i = 0; i < 8; i++) {
		result[i] = i + 1;
		pthread_create(&thread[i], NULL, run_thread, &result[i]);
	}
	for (int i = 0; i < 8; i++) {
		pthread_join(thread[i], NULL);
		wrong += result[i] != 0;
	}
	ok(!wrong, "8 threads at once, each to the instruction");
}

static void check_fork(struct tt *t, int64_t around)
{
	int status = -1;
	pid_t pid = fork();

	if (!pid) {
		struct tt_value v[2];

		tt_read(t, v); /* opens them again */
		_exit(count_wrong(t, around, N / 10, 5) != 0);
	}
	waitpid(pid, &status, 0);
	ok(status == 0, "a child, to the instruction");
	ok(!count_wrong(t, around, N / 10, 6), "its parent, to the instruction");
}

static volatile sig_atomic_t n_signals;

static void on_alarm(int signal)
{
	(void)signal;
	n_signals++;
}

/* A handler that interrupts a region is counted, too; nothing else goes wrong. */
static void check_signals(struct tt *t, int64_t around)
{
	const struct itimerval often = {{0, 2000}, {0, 2000}}, off = {{0, 0}, {0, 0}};
	int less = 0, before;

	signal(SIGALRM, on_alarm);
	setitimer(ITIMER_REAL, &often, NULL);
	for (int k = 0; k < N; k++) {
		int64_t n;

		before = n_signals;
		n = count_loop(t, 0, 1000);
		less += before == n_signals ? !fits(n, around + 2000) : n < around + 2000;
	}
	setitimer(ITIMER_REAL, &off, NULL);
	signal(SIGALRM, SIG_IGN);
	printf("# %d signals\n", (int)n_signals);
	ok(n_signals > 3 && !less, "regions that signals interrupt");
}

/* Checks how many instructions, of both modes, a reading takes in user space, and how many by a
 * system call. */
static int check_cost(void)
{
	struct tt *both = tt_open("instructions:uk"), *user = tt_open("instructions"),
		  *soft = tt_open("page-faults");
	struct tt_value v[4], value[2];
	int64_t nothing, fast, slow;

	/* The second time nothing is new to the caches of the kernel and the linker. */
	for (int k = 0; k < 2; k++) {
		tt_read(both, &v[0]);
		tt_read(both, &v[1]);
		tt_read(user, value);
		tt_read(both, &v[2]);
		tt_read(soft, value);
		tt_read(both, &v[3]);
	}
	nothing = (int64_t)(v[1].count - v[0].count);
	fast = (int64_t)(v[2].count - v[1].count) - nothing;
	slow = (int64_t)(v[3].count - v[2].count) - nothing;
	printf("# a reading takes %lld instructions, by a system call %lld\n", (long long)fast,
	       (long long)slow);
	ok(tt_state(both, 0) == TT_OK && fast > 0 && fast <= 50,
	   "one counter is read in at most 50 instructions");
	ok(slow >= 40 * fast, "and by a system call in 40 times as many at least");
	return 0;
}

TT_REGION(empty, "empty");

/* Checks the cost of the begin and the end of a region; TIPTOP_REGIONS may have any value, or none.
 * Takes the least cost of ten times, as a tick of the scheduler makes a reading begin again, after
 * two times that fill tables. */
static int check_region_cost(int64_t most)
{
	struct tt *both = tt_open("instructions:uk");
	struct tt_value v[3];
	int64_t cost = INT64_MAX, once;

	for (int k = 0; k < 12; k++) {
		tt_read(both, &v[0]);
		tt_read(both, &v[1]);
		TT_BEGIN(empty);
		TT_END(empty);
		tt_read(both, &v[2]);
		once = (int64_t)(v[2].count - v[1].count) - (int64_t)(v[1].count - v[0].count);
		if (k >= 2 && once < cost)
			cost = once;
	}
	printf("# begin and end of a region take %lld instructions\n", (long long)cost);
	ok(cost <= most,
	   tt_enabled ? "begin and end with four counters" : "a region that is not measured");
	return 0;
}

TT_REGION(work, "work");

static int run_live(void)
{
	for (int k = 0; k < 15000; k++) {
		TT_BEGIN(work);
		loop(50000);
		TT_END(work);
	}
	return 0;
}

/* Another process wants the only processor all the time. */
static pid_t start_rival(void)
{
	pid_t pid = fork();

	if (!pid)
		for (;;)
			loop(1000000);
	return pid;
}

int main(int argc, char **argv)
{
	struct tt *t;
	int64_t around;
	pid_t rival;

	if (argc > 1 && !strcmp(argv[1], "cost"))
		return check_cost();
	if (argc > 2 && !strcmp(argv[1], "region"))
		return check_region_cost(atoi(argv[2]));
	if (argc > 1 && !strcmp(argv[1], "live"))
		return run_live();
	state = argc > 1 ? argv[1][0] - '0' : 0;
	t = tt_open("instructions,cycles");
	ok(t && tt_state(t, 0) == (enum tt_state)state, "the state of a counter");
	if (!t)
		return 1;
	count_loop(t, 0, 1);
	around = count_loop(t, 0, 1) - 2;
	check_regions(t, around);
	check_together(t, "instructions and cycles are of one moment");
	check_fork(t, around);
	check_signals(t, around);
	check_threads();
	rival = start_rival();
	ok(!count_wrong(t, around, N, 7), "10,000 regions on a processor that is shared");
	check_together(t, "and counters of one moment there");
	check_preemption(t);
	/* More than 2^31, after which the kernel reloads a 32-bit counter. */
	ok(fits(count_loop(t, 0, 1150000000), around + 2300000000),
	   "more than 2^31 instructions in one region");
	kill(rival, SIGKILL);
	tt_close(t);
	return 0;
}
