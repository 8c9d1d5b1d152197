/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * many - a thousand threads, each with four counters, all at once: pages and descriptors run out,
 * and still each number is right or not there. Prints the results as lines of tests.
 *
 *   many EVENTS LIMIT   EVENTS: four, the first of which counts the work exactly; LIMIT: "maps"
 * where only pages run out, "files" where descriptors do
 */
#include <math.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <tiptop.h>
#include <unistd.h>

#define N     1000
#define STACK 65536

static const char *events;
static bool faults; /* the work is page faults, else instructions */
static pthread_barrier_t all_are_open, all_have_read;
static atomic_int n_open, n_wrong, n_state[TT_NO_PMU + 1], n_explained, n_numbers_of_none;

static void ok(int good, const char *name)
{
	printf("%s - library: %s\n", good ? "ok" : "not ok", name);
	fflush(stdout);
}

/* Does work that grows with n, 2 n instructions or n page faults, and work that is the same for
 * each n. */
__attribute__((noinline)) static void work(unsigned n)
{
	if (faults) {
		const size_t page = (size_t)sysconf(_SC_PAGESIZE);
		char *p = mmap(NULL, n * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS,
			       -1, 0);

		madvise(p, n * page, MADV_NOHUGEPAGE);
		for (unsigned i = 0; i < n; i++)
			((volatile char *)p)[i * page] = 1;
		munmap(p, n * page);
		return;
	}
#ifdef __aarch64__
	uint64_t rounds = n;

	__asm__ volatile("1: subs %0, %0, #1\n\tb.ne 1b" : "+r"(rounds) : : "cc");
#endif
}

/* Returns the count around n rounds of work; NaN: unknown. */
static double count(struct tt *t, unsigned n)
{
	struct tt_value from[TT_MAX_EVENTS], to[TT_MAX_EVENTS];

	tt_read(t, from);
	work(n);
	tt_read(t, to);
	for (int i = 0; i < tt_count(t); i++)
		n_numbers_of_none +=
			tt_state(t, i) >= TT_DENIED && !isnan(tt_between(&from[i], &to[i]));
	return tt_between(&from[0], &to[0]);
}

static void check_work(struct tt *t)
{
	const double each = faults ? 1 : 2;
	double around, got;

	count(t, 1); /* nothing is new to it afterwards */
	around = count(t, 1) - each;
	got = count(t, 500) - around;
	/* A reading that lost its processor begins once more. */
	if (!(got >= 500 * each && got < 500 * each + (faults ? 1 : 2000)))
		n_wrong++;
}

static void *run(void *arg)
{
	struct tt *t = tt_open(events);
	bool denied = false;

	(void)arg;
	n_open += t != NULL;
	for (int i = 0; t && i < tt_count(t); i++)
		denied |= tt_state(t, i) == TT_DENIED;
	n_explained += denied && strstr(tt_strerror(), "ulimit -n");
	if (t)
		n_state[tt_state(t, 0)]++;
	pthread_barrier_wait(&all_are_open);
	if (t && tt_state(t, 0) < TT_DENIED)
		check_work(t);
	else if (t)
		count(t, 1);
	pthread_barrier_wait(&all_have_read);
	tt_close(t);
	return NULL;
}

static bool start_all(void)
{
	static pthread_t thread[N];
	pthread_attr_t attr;

	pthread_attr_init(&attr);
	pthread_attr_setstacksize(&attr, STACK);
	pthread_barrier_init(&all_are_open, NULL, N);
	pthread_barrier_init(&all_have_read, NULL, N);
	for (int i = 0; i < N; i++)
		if (pthread_create(&thread[i], &attr, run, NULL))
			return false;
	for (int i = 0; i < N; i++)
		pthread_join(thread[i], NULL);
	return true;
}

static bool same_limits(const struct rlimit before[2])
{
	struct rlimit files, memory;

	getrlimit(RLIMIT_NOFILE, &files);
	getrlimit(RLIMIT_MEMLOCK, &memory);
	return files.rlim_cur == before[0].rlim_cur && memory.rlim_cur == before[1].rlim_cur;
}

int main(int argc, char **argv)
{
	struct rlimit before[2];
	bool files_run_out = argc > 2 && !strcmp(argv[2], "files");

	events = argc > 1 ? argv[1] : "page-faults";
	faults = !strncmp(events, "page-faults", 11);
	getrlimit(RLIMIT_NOFILE, &before[0]);
	getrlimit(RLIMIT_MEMLOCK, &before[1]);
	if (!start_all()) {
		ok(false, "a thousand threads");
		return 1;
	}
	printf("# %d read in user space, %d by system calls, %d refused\n", n_state[TT_OK],
	       n_state[TT_SYSCALL], n_state[TT_DENIED]);
	ok(n_open == N, "each of 1,000 threads has its counters");
	ok(!n_wrong, "all numbers that there are are right");
	ok(!n_numbers_of_none, "and what could not be opened has none");
	ok(same_limits(before), "the limits of the program are as they were");
	if (files_run_out)
		ok(n_state[TT_DENIED] > 0 && n_explained >= n_state[TT_DENIED],
		   "no descriptor left: refused, and said so");
	else
		ok(!n_state[TT_DENIED] && n_state[TT_SYSCALL] > 0,
		   "no page left: the kernel is asked");
	return 0;
}
