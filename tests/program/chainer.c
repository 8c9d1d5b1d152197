/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * chainer - a program with known chains of waits: in each of ROUNDS rounds, get_a() waits for the
 * mutex a, whose holder waits in get_b() for b, whose holder waits in get_c() for c, which main()
 * holds. main() lets go when all wait; then each holds its locks for a while.
 *
 *   chainer         prints "chain LEAST MOST": bounds in ns of the time for which all three waited
 *   chainer sleep   the holder of b waits for a condition variable
 */
#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#define ROUNDS  3
#define HOLD_NS 3000000

static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER,
		       c = PTHREAD_MUTEX_INITIALIZER, asleep = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t bell = PTHREAD_COND_INITIALIZER;
static bool sleeps, rung;
static atomic_long begun; /* the thread that is about to wait */

static void hold(void)
{
	const struct timespec time = {0, HOLD_NS};

	nanosleep(&time, NULL);
}

static void announce(void)
{
	begun = syscall(SYS_gettid);
}

static long long now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000000000ll + t.tv_nsec;
}

__attribute__((noinline)) static void get_a(void)
{
	announce();
	pthread_mutex_lock(&a);
	hold();
	pthread_mutex_unlock(&a);
}

__attribute__((noinline)) static void get_b(void)
{
	announce();
	pthread_mutex_lock(&b);
	hold();
	pthread_mutex_unlock(&b);
}

__attribute__((noinline)) static void get_c(void)
{
	announce();
	pthread_mutex_lock(&c);
	hold();
	pthread_mutex_unlock(&c);
}

__attribute__((noinline)) static void sleep_on(void)
{
	pthread_mutex_lock(&asleep);
	announce();
	while (!rung)
		pthread_cond_wait(&bell, &asleep);
	pthread_mutex_unlock(&asleep);
}

static void *third(void *unused)
{
	pthread_mutex_lock(&b);
	if (sleeps)
		sleep_on();
	else
		get_c();
	pthread_mutex_unlock(&b);
	return unused;
}

static void *second(void *unused)
{
	pthread_mutex_lock(&a);
	get_b();
	pthread_mutex_unlock(&a);
	return unused;
}

static void *first(void *unused)
{
	get_a();
	return unused;
}

/* Waits until the thread that has begun to wait sleeps. */
static void wait_for_sleep(void)
{
	char path[64], text[256] = "";
	const char *state = NULL;

	while (!begun)
		sched_yield();
	snprintf(path, sizeof path, "/proc/self/task/%ld/stat", (long)begun);
	while (!state || strncmp(state, ") S", 3) != 0) {
		FILE *file = fopen(path, "re");

		if (!file || !fgets(text, sizeof text, file))
			exit(9);
		fclose(file);
		state = strrchr(text, ')');
	}
	begun = 0;
}

static void ring(void)
{
	pthread_mutex_lock(&asleep);
	rung = true;
	pthread_cond_broadcast(&bell);
	pthread_mutex_unlock(&asleep);
}

/* Adds the bounds of the time for which all wait. */
static void run(long long *least, long long *most)
{
	void *(*const start[])(void *) = {third, second, first};
	pthread_t thread[3];
	long long begin, all = 0;

	rung = false;
	if (!sleeps)
		pthread_mutex_lock(&c);
	begin = now();
	for (int i = 0; i < 3; i++) {
		if (pthread_create(&thread[i], NULL, start[i], NULL))
			exit(9);
		wait_for_sleep();
	}
	all = now();
	hold();
	*least += now() - all;
	if (sleeps)
		ring();
	else
		pthread_mutex_unlock(&c);
	for (int i = 0; i < 3; i++)
		pthread_join(thread[i], NULL);
	*most += now() - begin;
}

int main(int argc, char **argv)
{
	long long least = 0, most = 0;

	sleeps = argc > 1 && !strcmp(argv[1], "sleep");
	for (int i = 0; i < ROUNDS; i++)
		run(&least, &most);
	printf("chain %lld %lld\n", least, most);
	return 0;
}
