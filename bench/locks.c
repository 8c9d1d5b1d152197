/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * locks - the time of acquiring and releasing an uncontended mutex, and of four readings of the
 * time stamp counter: the minimum of many runs, since other programs disturb some. Under `tiptop
 * locks`, the time for the mutex includes the cost of measuring.
 *
 *   locks [RUNS]
 *
 * Prints "pair_ns NS" and "readings_ns NS".
 */
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "inject/lib/arch.h"

#define ROUNDS 20000

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static uint64_t now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC_RAW, &t);
	return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
}

static void lock_pairs(void)
{
	for (int i = 0; i < ROUNDS; i++) {
		pthread_mutex_lock(&mutex);
		pthread_mutex_unlock(&mutex);
	}
}

static void read_clock(void)
{
	for (int i = 0; i < 4 * ROUNDS; i++)
		arch_read_time();
}

/* A second thread, since the mutexes of a single-threaded process are cheaper. */
static void *wait_for_end(void *end)
{
	pthread_mutex_lock(end);
	return NULL;
}

/* Returns the minimum of all runs, in ns per round. */
static double least(void (*work)(void), int runs)
{
	double least = 1e9;

	while (runs--) {
		const uint64_t begin = now_ns();
		double ns;

		work();
		ns = (double)(now_ns() - begin) / ROUNDS;
		least = ns < least ? ns : least;
	}
	return least;
}

int main(int argc, char **argv)
{
	const int runs = argc > 1 ? (int)strtol(argv[1], NULL, 10) : 101;
	pthread_mutex_t end = PTHREAD_MUTEX_INITIALIZER;
	pthread_t other;

	pthread_mutex_lock(&end);
	if (pthread_create(&other, NULL, wait_for_end, &end))
		return 1;
	printf("pair_ns %.2f\n", least(lock_pairs, runs));
	printf("readings_ns %.2f\n", least(read_clock, runs));
	pthread_mutex_unlock(&end);
	pthread_join(other, NULL);
	return 0;
}
