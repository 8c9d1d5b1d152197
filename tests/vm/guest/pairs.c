/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * pairs - prints how many instructions of user mode it takes to acquire a mutex that is free
 * and to release it: the least of some rounds, as in others the thread loses its processor.
 *
 *   pairs     that
 *   pairs N   acquires it HOLDS times, and executes 2 N instructions each time before the release;
 *             prints all instructions of main()
 */
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <tiptop.h>

#define ROUNDS 20
#define PAIRS  1000
#define HOLDS  50

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static uint64_t count_pairs(struct tt *t, int n)
{
	struct tt_value before, after;

	tt_read(t, &before);
	while (n--) {
		pthread_mutex_lock(&mutex);
		pthread_mutex_unlock(&mutex);
	}
	tt_read(t, &after);
	return after.count - before.count;
}

static uint64_t least(struct tt *t, int n)
{
	uint64_t least = UINT64_MAX;

	for (int i = 0; i < ROUNDS; i++) {
		const uint64_t count = count_pairs(t, n);

		least = count < least ? count : least;
	}
	return least;
}

static void spend(unsigned long n)
{
	for (int i = 0; i < HOLDS; i++) {
		unsigned long left = n;

		pthread_mutex_lock(&mutex);
		__asm__ volatile("1: subs %0, %0, #1\n\tb.ne 1b" : "+r"(left) : : "cc");
		pthread_mutex_unlock(&mutex);
	}
}

/* Where a process has one thread only, its mutexes are cheaper. */
static void *be_there(void *unused)
{
	return unused;
}

int main(int argc, char **argv)
{
	struct tt *t = tt_open("instructions");
	struct tt_value before, after;
	pthread_t other;

	if (!t || pthread_create(&other, NULL, be_there, NULL) || pthread_join(other, NULL))
		return 1;
	if (argc > 1) {
		tt_read(t, &before);
		spend(strtoul(argv[1], NULL, 10));
		tt_read(t, &after);
		printf("%.0f\n", tt_between(&before, &after));
		return 0;
	}
	printf("%.1f\n", (double)(least(t, 2 * PAIRS) - least(t, PAIRS)) / PAIRS);
	tt_close(t);
	return 0;
}
