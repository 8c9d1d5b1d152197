/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * halving - programs whose hold time is a parameter: halving PROGRAM HOLD_US [CYCLES]. Four threads
 * (of `sequence`: three) acquire a lock in each of their cycles, sleep while they hold it, and
 * sleep outside of it. Prints the seconds that all of it took, and those for which its threads
 * together waited for a CPU.
 *
 *   taken        the lock is always held: constant hold times, and little else
 *   constant     constant hold times, exponential times between them
 *   exponential  both are exponential
 *   sequence     two locks one after the other, of which the first has the parameter
 *   condition    hold times from half to one and a half of the mean; now and then, one thread waits
 *                for a condition variable
 *   steps        all times are constant, and threads take turns
 *   readers      as exponential, with a read-write lock that every second cycle only reads
 *   busy         as taken, but the hold is computing, by eight threads
 *   nested       a second lock is acquired while the first is held
 */
#define _GNU_SOURCE
#include <math.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define MOST_THREADS 8
#define MS           1000.0

enum use { PLAIN, SEQUENCE, CONDITION, READERS, BUSY, NESTED };
enum spread { CONSTANT, UNIFORM, EXPONENTIAL };

struct program {
	const char *name;
	int n_threads, cycles;
	double think_us;
	enum spread hold, think;
	enum use use;
};

static const struct program programs[] = {
	{"taken", 4, 60, 2 * MS, CONSTANT, CONSTANT, PLAIN},
	{"constant", 4, 400, 12 * MS, CONSTANT, EXPONENTIAL, PLAIN},
	{"exponential", 4, 600, 8 * MS, EXPONENTIAL, EXPONENTIAL, PLAIN},
	{"sequence", 3, 500, 6 * MS, EXPONENTIAL, EXPONENTIAL, SEQUENCE},
	{"condition", 4, 300, 4 * MS, UNIFORM, EXPONENTIAL, CONDITION},
	{"steps", 4, 100, 40 * MS, CONSTANT, CONSTANT, PLAIN},
	{"readers", 4, 200, 8 * MS, EXPONENTIAL, EXPONENTIAL, READERS},
	{"busy", 8, 20, 1 * MS, CONSTANT, CONSTANT, BUSY},
	{"nested", 4, 60, 5 * MS, CONSTANT, EXPONENTIAL, NESTED},
};

static const struct program *program;
static double hold_us;
static int cycles;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER, second = PTHREAD_MUTEX_INITIALIZER;
static pthread_rwlock_t rwlock = PTHREAD_RWLOCK_INITIALIZER;
static pthread_cond_t cond = PTHREAD_COND_INITIALIZER;
static pthread_barrier_t start;
static atomic_ullong waited_ns;

static double draw(uint64_t *seed, enum spread spread, double mean)
{
	double x;

	*seed = *seed * 6364136223846793005u + 1442695040888963407u;
	x = (double)((*seed >> 11) + 1) / 9007199254740992.0;
	if (spread == EXPONENTIAL)
		return -mean * log(x);
	return spread == UNIFORM ? mean * (0.5 + x) : mean;
}

static double now_us(clockid_t clock)
{
	struct timespec t;

	clock_gettime(clock, &t);
	return (double)t.tv_sec * 1e6 + (double)t.tv_nsec / 1e3;
}

static void pass(double us)
{
	const double end = now_us(CLOCK_THREAD_CPUTIME_ID) + us;
	const struct timespec t = {(time_t)(us / 1e6), (long)(fmod(us, 1e6) * 1e3)};

	if (program->use != BUSY)
		nanosleep(&t, NULL);
	else
		while (now_us(CLOCK_THREAD_CPUTIME_ID) < end)
			;
}

static void read_or_write(uint64_t *seed, bool only_read)
{
	if (only_read)
		pthread_rwlock_rdlock(&rwlock);
	else
		pthread_rwlock_wrlock(&rwlock);
	pass(draw(seed, program->hold, hold_us));
	pthread_rwlock_unlock(&rwlock);
}

/* Waits for a condition variable, for at most 2 ms, with a mutex that is not the lock. */
static void wait_a_little(void)
{
	struct timespec end;

	clock_gettime(CLOCK_REALTIME, &end);
	end.tv_nsec += 2000000;
	end.tv_sec += end.tv_nsec / 1000000000;
	end.tv_nsec %= 1000000000;
	pthread_mutex_lock(&second);
	pthread_cond_timedwait(&cond, &second, &end);
	pthread_mutex_unlock(&second);
}

static void cycle(uint64_t *seed, int i)
{
	if (program->use == READERS) {
		read_or_write(seed, i % 2);
		return;
	}
	pthread_mutex_lock(&lock);
	pass(draw(seed, program->hold, hold_us));
	if (program->use == NESTED) {
		pthread_mutex_lock(&second);
		pass(2 * MS);
		pthread_mutex_unlock(&second);
	}
	pthread_mutex_unlock(&lock);
	if (program->use == SEQUENCE) {
		pthread_mutex_lock(&second);
		pass(draw(seed, EXPONENTIAL, 4 * MS));
		pthread_mutex_unlock(&second);
	} else if (program->use == CONDITION && i % 50 == 7) {
		wait_a_little();
	}
}

static void add_wait_for_cpu(void)
{
	FILE *f = fopen("/proc/thread-self/schedstat", "r");
	unsigned long long ns;

	if (!f)
		return;
	if (fscanf(f, "%*u %llu", &ns) == 1)
		waited_ns += ns;
	fclose(f);
}

static void *run(void *number)
{
	uint64_t seed = 12345 * (uint64_t)(1 + (intptr_t)number);

	pthread_barrier_wait(&start);
	for (int i = 0; i < cycles; i++) {
		cycle(&seed, i);
		pass(draw(&seed, program->think, program->think_us));
	}
	add_wait_for_cpu();
	return NULL;
}

int main(int argc, char **argv)
{
	pthread_t thread[MOST_THREADS];
	double begin;

	for (size_t i = 0; argc > 2 && i < sizeof programs / sizeof *programs; i++)
		if (!strcmp(argv[1], programs[i].name))
			program = &programs[i];
	if (!program)
		return 2;
	hold_us = atof(argv[2]);
	cycles = argc > 3 ? atoi(argv[3]) : program->cycles;
	pthread_barrier_init(&start, NULL, (unsigned)program->n_threads);
	begin = now_us(CLOCK_MONOTONIC);
	for (intptr_t i = 0; i < program->n_threads; i++)
		if (pthread_create(&thread[i], NULL, run, (void *)i))
			return 1;
	for (int i = 0; i < program->n_threads; i++)
		pthread_join(thread[i], NULL);
	printf("%.6f %.6f\n", (now_us(CLOCK_MONOTONIC) - begin) / 1e6, (double)waited_ns / 1e9);
	return 0;
}
