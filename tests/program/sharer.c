/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * sharer - locks that two processes share: for each step, in its order, prints how often which
 * process has acquired what in which function, and how often it did not get it: "pid function kind
 * acquired failed".
 *
 *   shared   all kinds of locks in a mapping that a parent and its child share
 *   robust   a process dies with a mutex that its parent wants then, and does not repair
 */
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define TURNS 200
#define OWN   __attribute__((noinline))

struct shared {
	pthread_mutex_t mutex, robust, with_cond;
	pthread_rwlock_t rwlock;
	pthread_spinlock_t spin;
	pthread_cond_t cond;
	pthread_barrier_t barrier;
	sem_t ping, pong;
	int turn, n; /* under with_cond; and under each of mutex, rwlock and spin in its turn */
};

static struct shared *s;
static const struct timespec future = {INT32_MAX, 0};

static void expect_at(int line, int got, int want)
{
	if (got != want) {
		printf("line %d: got %d, want %d\n", line, got, want);
		fflush(stdout);
		_exit(9);
	}
}
#define expect(got, want) expect_at(__LINE__, got, want)

/* Nothing of stdio is shared with a child. */
static void report(const char *function, const char *kind, int acquired, int failed)
{
	printf("%d %s %s %d %d\n", getpid(), function, kind, acquired, failed);
	fflush(stdout);
}

/* --- two processes --- */

static void make_shared(void)
{
	pthread_mutexattr_t mutex;
	pthread_rwlockattr_t rw;
	pthread_condattr_t c;
	pthread_barrierattr_t b;

	s = mmap(NULL, sizeof *s, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	expect(s == MAP_FAILED, 0);
	pthread_mutexattr_init(&mutex);
	pthread_mutexattr_setpshared(&mutex, PTHREAD_PROCESS_SHARED);
	pthread_mutex_init(&s->mutex, &mutex);
	pthread_mutex_init(&s->with_cond, &mutex);
	pthread_mutexattr_setrobust(&mutex, PTHREAD_MUTEX_ROBUST);
	pthread_mutex_init(&s->robust, &mutex);
	pthread_rwlockattr_init(&rw);
	pthread_rwlockattr_setpshared(&rw, PTHREAD_PROCESS_SHARED);
	pthread_rwlock_init(&s->rwlock, &rw);
	pthread_spin_init(&s->spin, PTHREAD_PROCESS_SHARED);
	pthread_condattr_init(&c);
	pthread_condattr_setpshared(&c, PTHREAD_PROCESS_SHARED);
	pthread_cond_init(&s->cond, &c);
	pthread_barrierattr_init(&b);
	pthread_barrierattr_setpshared(&b, PTHREAD_PROCESS_SHARED);
	pthread_barrier_init(&s->barrier, &b, 2);
	sem_init(&s->ping, 1, 0);
	sem_init(&s->pong, 1, 0);
}

static OWN void share_mutex(void)
{
	for (int i = 0; i < 1000; i++) {
		pthread_mutex_lock(&s->mutex);
		s->n++;
		pthread_mutex_unlock(&s->mutex);
	}
	report(__func__, "mutex", 1000, 0);
}

static OWN void share_rwlock(void)
{
	for (int i = 0; i < 300; i++) {
		pthread_rwlock_wrlock(&s->rwlock);
		s->n++;
		pthread_rwlock_unlock(&s->rwlock);
		pthread_rwlock_rdlock(&s->rwlock);
		pthread_rwlock_unlock(&s->rwlock);
	}
	report(__func__, "rwlock-write", 300, 0);
	report(__func__, "rwlock-read", 300, 0);
}

/* Who has it may lose its CPU, so few times. */
static OWN void share_spin(void)
{
	for (int i = 0; i < 50; i++) {
		pthread_spin_lock(&s->spin);
		s->n++;
		pthread_spin_unlock(&s->spin);
	}
	report(__func__, "spin", 50, 0);
}

static OWN void share_cond(int me)
{
	int waits = 0;

	for (int i = 0; i < TURNS; i++) {
		pthread_mutex_lock(&s->with_cond);
		while (s->turn != me) {
			expect(pthread_cond_wait(&s->cond, &s->with_cond), 0);
			waits++;
		}
		s->turn = !me;
		pthread_cond_signal(&s->cond);
		pthread_mutex_unlock(&s->with_cond);
	}
	report(__func__, "mutex", TURNS, 0);
	report(__func__, "cond", waits, 0);
}

static OWN void share_semaphore(sem_t *give, sem_t *take)
{
	for (int i = 0; i < TURNS; i++) {
		sem_post(give);
		expect(sem_wait(take), 0);
	}
	report(__func__, "semaphore", TURNS, 0);
}

static OWN void share_barrier(void)
{
	for (int i = 0; i < 40; i++)
		pthread_barrier_wait(&s->barrier);
	report(__func__, "barrier", 40, 0);
}

/* What each of both does; the barriers part what counts n by one lock from what does by another. */
static void share(int me)
{
	share_barrier();
	share_mutex();
	pthread_barrier_wait(&s->barrier);
	share_rwlock();
	pthread_barrier_wait(&s->barrier);
	share_spin();
	share_cond(me);
	share_semaphore(me ? &s->ping : &s->pong, me ? &s->pong : &s->ping);
}

static void step_shared(void)
{
	int status;
	pid_t child;

	make_shared();
	child = fork();
	expect(child < 0, 0);
	share(!child);
	if (!child)
		exit(0);
	expect(waitpid(child, &status, 0), child);
	expect(status, 0);
	expect(s->n, 2 * (1000 + 300 + 50));
}

static OWN void die_with_it(void)
{
	expect(pthread_mutex_lock(&s->robust), 0);
	report(__func__, "mutex", 1, 0);
	_exit(0);
}

static OWN void inherit(void)
{
	expect(pthread_mutex_lock(&s->robust), EOWNERDEAD);
	expect(pthread_mutex_consistent(&s->robust), 0);
	expect(pthread_mutex_unlock(&s->robust), 0);
	expect(pthread_mutex_trylock(&s->robust), 0);
	expect(pthread_mutex_unlock(&s->robust), 0);
	report(__func__, "mutex", 2, 0);
}

/* Once it is released without a repair, nobody gets it. */
static OWN void give_up(void)
{
	expect(pthread_mutex_timedlock(&s->robust, &future), EOWNERDEAD);
	expect(pthread_mutex_unlock(&s->robust), 0);
	expect(pthread_mutex_lock(&s->robust), ENOTRECOVERABLE);
	report(__func__, "mutex", 1, 1);
}

static void step_robust(void)
{
	void (*const then[])(void) = {inherit, give_up};

	make_shared();
	for (int i = 0; i < 2; i++) {
		const pid_t child = fork();

		expect(child < 0, 0);
		if (!child)
			die_with_it();
		expect(waitpid(child, NULL, 0), child);
		then[i]();
	}
}

int main(int argc, char **argv)
{
	static const struct {
		const char *name;
		void (*run)(void);
	} steps[] = {{"shared", step_shared}, {"robust", step_robust}};

	for (int i = 1; i < argc; i++)
		for (size_t k = 0; k < sizeof steps / sizeof *steps; k++)
			if (!strcmp(argv[i], steps[k].name))
				steps[k].run();
	return 0;
}
