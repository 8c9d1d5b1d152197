/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * sharer - locks shared by two processes, and waits with a timeout: for each step, in order, prints
 * the acquisitions and failures of each process and function: "pid function kind acquired failed".
 *
 *   shared   all kinds of locks in a mapping that a parent and its child share
 *   robust   a process dies while it holds a mutex; its parent acquires it without repairing it
 *   timed    all functions with a timeout, with each clock that they accept
 *   crowd    1000 threads that exist at the same time, each with two acquisitions
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
#include <threads.h>
#include <time.h>
#include <unistd.h>

#define TURNS 200
#define CROWD 1000
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
static const struct timespec past = {1, 0}, future = {INT32_MAX, 0};
static pthread_barrier_t all;
static pthread_mutex_t plain = PTHREAD_MUTEX_INITIALIZER;
static pthread_rwlock_t rwlock = PTHREAD_RWLOCK_INITIALIZER;
static pthread_cond_t cond = PTHREAD_COND_INITIALIZER;
static sem_t semaphore;
static mtx_t mutex11;
static cnd_t cond11;

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

/* Once it is released without a repair, no thread gets it. */
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

/* --- until a time --- */

/* Another thread than that which has all of them. */
static OWN void *try_mutexes(void *unused)
{
	expect(pthread_mutex_timedlock(&plain, &past), ETIMEDOUT);
	expect(pthread_mutex_clocklock(&plain, CLOCK_MONOTONIC, &past), ETIMEDOUT);
	expect(pthread_mutex_clocklock(&plain, CLOCK_REALTIME, &past), ETIMEDOUT);
	expect(mtx_timedlock(&mutex11, &past), thrd_timedout);
	report(__func__, "mutex", 0, 4);
	return unused;
}

static OWN void *try_rwlocks(void *unused)
{
	expect(pthread_rwlock_timedrdlock(&rwlock, &past), ETIMEDOUT);
	expect(pthread_rwlock_clockrdlock(&rwlock, CLOCK_MONOTONIC, &past), ETIMEDOUT);
	expect(pthread_rwlock_timedwrlock(&rwlock, &past), ETIMEDOUT);
	expect(pthread_rwlock_clockwrlock(&rwlock, CLOCK_MONOTONIC, &past), ETIMEDOUT);
	expect(pthread_rwlock_clockwrlock(&rwlock, CLOCK_REALTIME, &past), ETIMEDOUT);
	report(__func__, "rwlock-read", 0, 2);
	report(__func__, "rwlock-write", 0, 3);
	return unused;
}

static void in_thread(void *(*run)(void *))
{
	pthread_t thread;

	expect(pthread_create(&thread, NULL, run, NULL), 0);
	pthread_join(thread, NULL);
}

static OWN void time_mutexes(void)
{
	expect(pthread_mutex_timedlock(&plain, &future), 0);
	pthread_mutex_unlock(&plain);
	expect(pthread_mutex_clocklock(&plain, CLOCK_REALTIME, &future), 0);
	pthread_mutex_unlock(&plain);
	expect(pthread_mutex_clocklock(&plain, CLOCK_MONOTONIC, &future), 0);
	mtx_init(&mutex11, mtx_timed);
	expect(mtx_timedlock(&mutex11, &future), thrd_success);
	in_thread(try_mutexes);
	mtx_unlock(&mutex11);
	pthread_mutex_unlock(&plain);
	report(__func__, "mutex", 4, 0);
}

static OWN void time_rwlocks(void)
{
	expect(pthread_rwlock_timedrdlock(&rwlock, &future), 0);
	expect(pthread_rwlock_clockrdlock(&rwlock, CLOCK_MONOTONIC, &future), 0);
	expect(pthread_rwlock_clockrdlock(&rwlock, CLOCK_REALTIME, &future), 0);
	for (int i = 0; i < 3; i++)
		pthread_rwlock_unlock(&rwlock);
	expect(pthread_rwlock_timedwrlock(&rwlock, &future), 0);
	pthread_rwlock_unlock(&rwlock);
	expect(pthread_rwlock_clockwrlock(&rwlock, CLOCK_MONOTONIC, &future), 0);
	in_thread(try_rwlocks);
	pthread_rwlock_unlock(&rwlock);
	report(__func__, "rwlock-read", 3, 0);
	report(__func__, "rwlock-write", 2, 0);
}

/* A wait for what is never told ends at its time, or for no reason. */
static OWN void time_conds(void)
{
	int got[3] = {0, 0, 0};

	cnd_init(&cond11);
	pthread_mutex_lock(&plain);
	while (!pthread_cond_timedwait(&cond, &plain, &past))
		got[0]++;
	while (!pthread_cond_clockwait(&cond, &plain, CLOCK_MONOTONIC, &past))
		got[1]++;
	pthread_mutex_unlock(&plain);
	mtx_lock(&mutex11);
	while (cnd_timedwait(&cond11, &mutex11, &past) == thrd_success)
		got[2]++;
	mtx_unlock(&mutex11);
	report(__func__, "cond", got[0] + got[1] + got[2], 3);
	report(__func__, "mutex", 2, 0);
}

static OWN void time_semaphores(void)
{
	sem_init(&semaphore, 0, 3);
	expect(sem_timedwait(&semaphore, &future), 0);
	expect(sem_clockwait(&semaphore, CLOCK_MONOTONIC, &future), 0);
	expect(sem_clockwait(&semaphore, CLOCK_REALTIME, &future), 0);
	expect(sem_timedwait(&semaphore, &past), -1);
	expect(sem_clockwait(&semaphore, CLOCK_MONOTONIC, &past), -1);
	expect(errno, ETIMEDOUT);
	report(__func__, "semaphore", 3, 2);
}

static void step_timed(void)
{
	time_mutexes();
	time_rwlocks();
	time_conds();
	time_semaphores();
}

/* --- many threads --- */

static OWN void *meet(void *unused)
{
	for (int i = 0; i < 2; i++) {
		pthread_mutex_lock(&plain);
		pthread_mutex_unlock(&plain);
	}
	pthread_barrier_wait(&all);
	return unused;
}

static void step_crowd(void)
{
	static pthread_t thread[CROWD];
	pthread_attr_t a;

	pthread_attr_init(&a);
	pthread_attr_setstacksize(&a, 256 * 1024);
	pthread_barrier_init(&all, NULL, CROWD);
	for (int i = 0; i < CROWD; i++)
		expect(pthread_create(&thread[i], &a, meet, NULL), 0);
	for (int i = 0; i < CROWD; i++)
		pthread_join(thread[i], NULL);
	report("meet", "mutex", 2 * CROWD, 0);
	report("meet", "barrier", CROWD, 0);
}

int main(int argc, char **argv)
{
	static const struct {
		const char *name;
		void (*run)(void);
	} steps[] = {{"shared", step_shared},
		     {"robust", step_robust},
		     {"timed", step_timed},
		     {"crowd", step_crowd}};

	for (int i = 1; i < argc; i++)
		for (size_t k = 0; k < sizeof steps / sizeof *steps; k++)
			if (!strcmp(argv[i], steps[k].name))
				steps[k].run();
	return 0;
}
