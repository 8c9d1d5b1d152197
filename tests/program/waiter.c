/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * waiter - a program whose mutex `wanted` is always contended: ROUNDS times, hold_here() holds it
 * until another thread waits for it in wait_here(), called by one_way() and another_way() in turn.
 *
 *   waiter ROUNDS
 */
#include <pthread.h>
#include <stdlib.h>

static pthread_mutex_t wanted = PTHREAD_MUTEX_INITIALIZER;
static pthread_barrier_t both;
static int rounds;

/* Returns whether glibc has marked the mutex `wanted` as one that has waiters. */
static int is_waited_for(void)
{
	return __atomic_load_n(&wanted.__data.__lock, __ATOMIC_ACQUIRE) == 2;
}

static __attribute__((noinline)) void hold_here(void)
{
	pthread_mutex_lock(&wanted);
	pthread_barrier_wait(&both);
	while (!is_waited_for())
		;
	pthread_mutex_unlock(&wanted);
}

static __attribute__((noinline)) void wait_here(void)
{
	pthread_mutex_lock(&wanted);
	pthread_mutex_unlock(&wanted);
}

/* The return values are computed after the calls, so the compiler does not make jumps of them: the
 * two callers stay different places. */
static __attribute__((noinline)) int one_way(void)
{
	wait_here();
	return rounds;
}

static __attribute__((noinline)) int another_way(void)
{
	wait_here();
	return -rounds;
}

static void *wait_in_turns(void *unused)
{
	int sum = 0;

	for (int i = 0; i < rounds; i++) {
		pthread_barrier_wait(&both);
		sum += i % 2 ? another_way() : one_way();
		pthread_barrier_wait(&both);
	}
	return sum < 0 ? unused : NULL;
}

int main(int argc, char **argv)
{
	pthread_t other;

	rounds = argc == 2 ? (int)strtol(argv[1], NULL, 10) : 0;
	pthread_barrier_init(&both, NULL, 2);
	if (pthread_create(&other, NULL, wait_in_turns, NULL))
		return 1;
	for (int i = 0; i < rounds; i++) {
		hold_here();
		pthread_barrier_wait(&both);
	}
	pthread_join(other, NULL);
	return 0;
}
