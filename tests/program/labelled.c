/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * labelled - waits whose objects have names that say what they are used as: lock_NAME for what
 * another thread has, work_NAME for what a thread has nothing to do without. Each is used as
 * programs use it, until enough threads have waited: nothing depends on how fast they are.
 */
#include <errno.h>
#include <linux/futex.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <threads.h>
#include <time.h>
#include <unistd.h>

#define TEAM   4
#define ROUNDS 12
#define INLINE static inline __attribute__((always_inline))

typedef void *body(void *);
typedef _Atomic(uint32_t) word;

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void nap(void)
{
	nanosleep(&(struct timespec){.tv_nsec = 100000}, NULL);
}

static struct timespec in_ms(long ms)
{
	struct timespec t;

	clock_gettime(CLOCK_REALTIME, &t);
	t.tv_nsec += ms * 1000000;
	t.tv_sec += t.tv_nsec / 1000000000;
	t.tv_nsec %= 1000000000;
	return t;
}

/* Runs n threads to their ends. Each gets its number, from 0 on. */
static void run(int n, body *f)
{
	pthread_t thread[TEAM];

	for (intptr_t i = 0; i < n; i++)
		if (pthread_create(&thread[i], NULL, f, (void *)i))
			abort();
	for (int i = 0; i < n; i++)
		pthread_join(thread[i], NULL);
}

/* Each object has a place of its own that calls. */
INLINE void futex_wait(word *w, uint32_t value)
{
	syscall(SYS_futex, w, FUTEX_WAIT_PRIVATE, value, NULL, NULL, 0);
}

INLINE void futex_wake(word *w, int n)
{
	syscall(SYS_futex, w, FUTEX_WAKE_PRIVATE, n, NULL, NULL, 0);
}

/* ---- locks ---- */

/* Uses a lock in all threads of a team, which begin together. */
#define USE(name, take, give)                                                                      \
	static void *name(void *of)                                                                \
	{                                                                                          \
		(void)of;                                                                          \
		pthread_barrier_wait(&start);                                                      \
		for (int i = 0; i < 2 * ROUNDS; i++) {                                             \
			take;                                                                      \
			nap();                                                                     \
			give;                                                                      \
		}                                                                                  \
		return NULL;                                                                       \
	}

static pthread_barrier_t start;

static void run_together(int n, body *f)
{
	pthread_barrier_init(&start, NULL, (unsigned)n);
	run(n, f);
	pthread_barrier_destroy(&start);
}

static sem_t lock_sem, lock_sem_pool, lock_sem_timed, lock_sem_pair;

INLINE void timed(sem_t *s)
{
	struct timespec t = in_ms(60000);

	while (sem_timedwait(s, &t))
		;
}

USE(use_sem, sem_wait(&lock_sem), sem_post(&lock_sem))
USE(use_sem_pool, sem_wait(&lock_sem_pool), sem_post(&lock_sem_pool))
USE(use_sem_timed, timed(&lock_sem_timed), sem_post(&lock_sem_timed))
USE(use_sem_pair, sem_wait(&lock_sem_pair), sem_post(&lock_sem_pair))

static word lock_futex, lock_futex_pair, lock_futex_hog, lock_futex_pi, lock_futex_pool;

/* 0: free, 1: taken, 2: taken, and threads may wait. */
INLINE void futex_lock(word *w)
{
	uint32_t was = 0;

	if (atomic_compare_exchange_strong(w, &was, 1))
		return;
	while (atomic_exchange(w, 2))
		futex_wait(w, 2);
}

INLINE void futex_unlock(word *w)
{
	if (atomic_exchange(w, 0) == 2)
		futex_wake(w, 1);
}

USE(use_futex, futex_lock(&lock_futex), futex_unlock(&lock_futex))
USE(use_futex_pair, futex_lock(&lock_futex_pair), futex_unlock(&lock_futex_pair))
/* The first thread holds it for longer than the others. */
USE(use_futex_hog, (futex_lock(&lock_futex_hog), of ? (void)0 : nap()),
    futex_unlock(&lock_futex_hog))

INLINE void pi_lock(word *w)
{
	uint32_t was = 0;

	if (!atomic_compare_exchange_strong(w, &was, (uint32_t)syscall(SYS_gettid)))
		syscall(SYS_futex, w, FUTEX_LOCK_PI_PRIVATE, 0, NULL, NULL, 0);
}

INLINE void pi_unlock(word *w)
{
	uint32_t was = (uint32_t)syscall(SYS_gettid);

	if (!atomic_compare_exchange_strong(w, &was, 0))
		syscall(SYS_futex, w, FUTEX_UNLOCK_PI_PRIVATE, 0, NULL, NULL, 0);
}

USE(use_futex_pi, pi_lock(&lock_futex_pi), pi_unlock(&lock_futex_pi))

/* The number of free connections. */
INLINE void futex_take(word *w)
{
	for (;;) {
		uint32_t n = *w;

		if (n && atomic_compare_exchange_strong(w, &n, n - 1))
			return;
		if (!n)
			futex_wait(w, 0);
	}
}

USE(use_futex_pool, futex_take(&lock_futex_pool),
    (atomic_fetch_add(&lock_futex_pool, 1), futex_wake(&lock_futex_pool, 1)))

static pthread_cond_t lock_cond = PTHREAD_COND_INITIALIZER,
		      lock_cond_pool = PTHREAD_COND_INITIALIZER,
		      lock_cond_gil = PTHREAD_COND_INITIALIZER,
		      lock_cond_rw = PTHREAD_COND_INITIALIZER;
static int cond_free = 1, pool_free = 2, gil_free = 1, rw_free = 3;
static cnd_t lock_c11;
static mtx_t mutex11;
static int c11_free = 1;

INLINE void cond_take(pthread_cond_t *c, int *n, int need)
{
	pthread_mutex_lock(&mutex);
	while (*n < need)
		pthread_cond_wait(c, &mutex);
	*n -= need;
	pthread_mutex_unlock(&mutex);
}

INLINE void cond_give(pthread_cond_t *c, int *n, int need)
{
	pthread_mutex_lock(&mutex);
	*n += need;
	if (need > 1)
		pthread_cond_broadcast(c);
	else
		pthread_cond_signal(c);
	pthread_mutex_unlock(&mutex);
}

INLINE void gil_take(void)
{
	pthread_mutex_lock(&mutex);
	while (!gil_free) {
		struct timespec t = in_ms(60000);

		pthread_cond_timedwait(&lock_cond_gil, &mutex, &t);
	}
	gil_free = 0;
	pthread_mutex_unlock(&mutex);
}

INLINE void c11_take(void)
{
	mtx_lock(&mutex11);
	while (!c11_free)
		cnd_wait(&lock_c11, &mutex11);
	c11_free = 0;
	mtx_unlock(&mutex11);
}

INLINE void c11_give(void)
{
	mtx_lock(&mutex11);
	c11_free = 1;
	mtx_unlock(&mutex11);
	cnd_signal(&lock_c11);
}

USE(use_cond, cond_take(&lock_cond, &cond_free, 1), cond_give(&lock_cond, &cond_free, 1))
USE(use_cond_pool, cond_take(&lock_cond_pool, &pool_free, 1),
    cond_give(&lock_cond_pool, &pool_free, 1))
USE(use_gil, gil_take(), cond_give(&lock_cond_gil, &gil_free, 1))
USE(use_c11, c11_take(), c11_give())

/* Readers take 1 of 3, writers all: every second one is a writer. */
USE(use_rw, cond_take(&lock_cond_rw, &rw_free, i % 2 ? 3 : 1),
    cond_give(&lock_cond_rw, &rw_free, i % 2 ? 3 : 1))

static void use_locks(void)
{
	static body *const four[] = {use_sem,      use_sem_pool,   use_sem_timed, use_futex,
				     use_futex_pi, use_futex_pool, use_cond,      use_cond_pool,
				     use_gil,      use_c11,        use_rw};

	sem_init(&lock_sem, 0, 1);
	sem_init(&lock_sem_pool, 0, 2);
	sem_init(&lock_sem_timed, 0, 1);
	sem_init(&lock_sem_pair, 0, 1);
	lock_futex_pool = 2;
	mtx_init(&mutex11, mtx_plain);
	cnd_init(&lock_c11);
	for (size_t i = 0; i < sizeof four / sizeof *four; i++)
		run_together(TEAM, four[i]);
	run_together(2, use_sem_pair);
	run_together(2, use_futex_pair);
	run_together(3, use_futex_hog);
}

/* ---- work ---- */

/* One thread hands out work when all others wait for it: it naps until they have taken it all. A
 * word is the number of items, or for a broadcast the number of the round. */

static pthread_cond_t work_pool_cond = PTHREAD_COND_INITIALIZER,
		      work_latch = PTHREAD_COND_INITIALIZER,
		      work_gc_resume = PTHREAD_COND_INITIALIZER,
		      work_gc_parked = PTHREAD_COND_INITIALIZER,
		      work_stage = PTHREAD_COND_INITIALIZER,
		      work_timer_cond = PTHREAD_COND_INITIALIZER,
		      work_space_cond = PTHREAD_COND_INITIALIZER,
		      work_items_cond = PTHREAD_COND_INITIALIZER,
		      work_barrier_cond = PTHREAD_COND_INITIALIZER,
		      work_turns_cond = PTHREAD_COND_INITIALIZER,
		      work_buffer_cond = PTHREAD_COND_INITIALIZER,
		      work_feeding_cond = PTHREAD_COND_INITIALIZER;
static sem_t work_pool_sem, work_timer_sem, work_items_sem, work_space_sem, work_ping, work_pong,
	work_completion, work_signal, work_done_sem;
static word work_pool_futex, work_timer_futex, work_barrier_futex, work_future, work_gate_futex,
	work_parked_futex, work_log_futex;
static pthread_barrier_t work_barrier;

static int n_pool, n_latch, n_stage, n_items, n_buffer, parked, turn;
static unsigned phase, arrived;

static void *serve_cond(void *of)
{
	for (int i = 0; i < ROUNDS; i++)
		if (of)
			cond_take(&work_pool_cond, &n_pool, 1);
		else
			for (int k = 1; k < TEAM; k++, nap())
				cond_give(&work_pool_cond, &n_pool, 1);
	return NULL;
}

static void *serve_sem(void *of)
{
	for (int i = 0; i < ROUNDS; i++)
		if (of)
			sem_wait(&work_pool_sem);
		else
			for (int k = 1; k < TEAM; k++, nap())
				sem_post(&work_pool_sem);
	return NULL;
}

static void *serve_futex(void *of)
{
	for (int i = 0; i < ROUNDS; i++)
		if (of)
			futex_take(&work_pool_futex);
		else
			for (int k = 1; k < TEAM; k++, nap()) {
				atomic_fetch_add(&work_pool_futex, 1);
				futex_wake(&work_pool_futex, 1);
			}
	return NULL;
}

/* The logger sleeps until there are lines; all others write some. */
static void *serve_log(void *of)
{
	for (int i = 0; i < ROUNDS * (of ? 1 : TEAM - 1); i++)
		if (!of) {
			futex_take(&work_log_futex);
		} else {
			nap();
			atomic_fetch_add(&work_log_futex, 1);
			futex_wake(&work_log_futex, 1);
		}
	return NULL;
}

static void *wait_for_time(void *of)
{
	(void)of;
	for (int i = 0; i < ROUNDS; i++) {
		struct timespec t = in_ms(1);

		pthread_mutex_lock(&mutex);
		pthread_cond_timedwait(&work_timer_cond, &mutex, &t);
		pthread_mutex_unlock(&mutex);
		t = in_ms(1);
		sem_timedwait(&work_timer_sem, &t);
		syscall(SYS_futex, &work_timer_futex, FUTEX_WAIT_PRIVATE, 0,
			&(struct timespec){.tv_nsec = 1000000}, NULL, 0);
	}
	return NULL;
}

/* A buffer with one place. */
static void *pass_cond(void *of)
{
	static int space = 1;

	for (int i = 0; i < ROUNDS; i++)
		if (of) {
			cond_take(&work_items_cond, &n_items, 1);
			nap();
			cond_give(&work_space_cond, &space, 1);
		} else {
			cond_take(&work_space_cond, &space, 1);
			nap();
			cond_give(&work_items_cond, &n_items, 1);
		}
	return NULL;
}

static void *pass_sem(void *of)
{
	for (int i = 0; i < ROUNDS; i++) {
		sem_wait(of ? &work_items_sem : &work_space_sem);
		nap();
		sem_post(of ? &work_space_sem : &work_items_sem);
	}
	return NULL;
}

static void *play(void *of)
{
	for (int i = 0; i < ROUNDS; i++) {
		sem_wait(of ? &work_ping : &work_pong);
		sem_post(of ? &work_pong : &work_ping);
	}
	return NULL;
}

static void *meet(void *of)
{
	(void)of;
	for (int i = 0; i < ROUNDS; i++)
		pthread_barrier_wait(&work_barrier);
	return NULL;
}

static void *meet_cond(void *of)
{
	(void)of;
	for (int i = 0; i < ROUNDS; i++) {
		unsigned now;

		pthread_mutex_lock(&mutex);
		now = phase;
		if (++arrived == TEAM) {
			arrived = 0;
			phase++;
			pthread_cond_broadcast(&work_barrier_cond);
		}
		while (phase == now)
			pthread_cond_wait(&work_barrier_cond, &mutex);
		pthread_mutex_unlock(&mutex);
	}
	return NULL;
}

static void *meet_futex(void *of)
{
	static word here;

	(void)of;
	for (int i = 0; i < ROUNDS; i++) {
		const uint32_t now = work_barrier_futex;

		if (atomic_fetch_add(&here, 1) == TEAM - 1) {
			here = 0;
			nap();
			atomic_fetch_add(&work_barrier_futex, 1);
			futex_wake(&work_barrier_futex, INT32_MAX);
		}
		while (work_barrier_futex == now)
			futex_wait(&work_barrier_futex, now);
	}
	return NULL;
}

/* The collector stops all others. */
static void *collect(void *of)
{
	for (int i = 0; i < ROUNDS; i++) {
		pthread_mutex_lock(&mutex);
		if (of) {
			const unsigned now = phase;

			parked++;
			pthread_cond_signal(&work_gc_parked);
			while (phase == now)
				pthread_cond_wait(&work_gc_resume, &mutex);
		} else {
			while (parked < TEAM - 1)
				pthread_cond_wait(&work_gc_parked, &mutex);
			parked = 0;
			phase++;
			pthread_cond_broadcast(&work_gc_resume);
		}
		pthread_mutex_unlock(&mutex);
	}
	return NULL;
}

/* The same with futexes: a gate for each round, and the number of threads that have come. */
static void *gate(void *of)
{
	for (uint32_t i = 0; i < ROUNDS; i++)
		if (of) {
			atomic_fetch_add(&work_parked_futex, 1);
			futex_wake(&work_parked_futex, 1);
			while (work_gate_futex == i)
				futex_wait(&work_gate_futex, i);
		} else {
			for (uint32_t n; (n = work_parked_futex) < (i + 1) * (TEAM - 1);)
				futex_wait(&work_parked_futex, n);
			nap();
			atomic_fetch_add(&work_gate_futex, 1);
			futex_wake(&work_gate_futex, INT32_MAX);
		}
	return NULL;
}

/* Thread 0 waits for all others to have done their part; a later stage for an earlier one. */
static void *finish(void *of)
{
	for (int i = 0; i < ROUNDS; i++)
		if (of) {
			nap();
			cond_give(&work_latch, &n_latch, 1);
			sem_post(&work_done_sem);
		} else {
			cond_take(&work_latch, &n_latch, TEAM - 1);
			for (int k = 1; k < TEAM; k++)
				sem_wait(&work_done_sem);
		}
	return NULL;
}

static void *stages(void *of)
{
	for (int i = 0; i < ROUNDS; i++)
		if (of) {
			cond_take(&work_stage, &n_stage, 1);
		} else {
			nap();
			cond_give(&work_stage, &n_stage, 1);
		}
	return NULL;
}

/* Requests, one at a time, each with a new work_completion; work_signal is for the thread that
 * serves. */
static void *request(void *of)
{
	for (int i = 0; i < ROUNDS; i++)
		if (of) {
			sem_wait(&work_signal);
			nap();
			sem_post(&work_completion);
		} else {
			sem_init(&work_completion, 0, 1);
			sem_wait(&work_completion);
			sem_post(&work_signal);
			sem_wait(&work_completion);
		}
	return NULL;
}

static void *promise(void *of)
{
	if (of) {
		while (!work_future)
			futex_wait(&work_future, 0);
		return NULL;
	}
	nap();
	work_future = 1;
	futex_wake(&work_future, INT32_MAX);
	return NULL;
}

/* --- work that looks like a lock: all wait, and all wake --- */

static void *take_turns(void *of)
{
	for (int i = 0; i < ROUNDS; i++) {
		pthread_mutex_lock(&mutex);
		while (turn != (of != NULL))
			pthread_cond_wait(&work_turns_cond, &mutex);
		turn = !of;
		pthread_cond_signal(&work_turns_cond);
		pthread_mutex_unlock(&mutex);
	}
	return NULL;
}

/* A buffer with one condition for both sides. */
static void *pass_any(void *of)
{
	for (int i = 0; i < ROUNDS; i++) {
		pthread_mutex_lock(&mutex);
		while (n_buffer != (of != NULL))
			pthread_cond_wait(&work_buffer_cond, &mutex);
		n_buffer = !of;
		pthread_cond_broadcast(&work_buffer_cond);
		pthread_mutex_unlock(&mutex);
	}
	return NULL;
}

/* Workers that make work: each item becomes another one. */
static void *feed(void *of)
{
	static int tasks = 1;

	(void)of;
	for (int i = 0; i < ROUNDS; i++) {
		cond_take(&work_feeding_cond, &tasks, 1);
		nap();
		cond_give(&work_feeding_cond, &tasks, 1);
	}
	return NULL;
}

static void use_work(void)
{
	static body *const four[] = {serve_cond, serve_sem, serve_futex, serve_log,
				     meet,       meet_cond, meet_futex,  collect,
				     gate,       finish,    promise};
	static body *const two[] = {pass_cond, pass_sem, play,       stages,
				    request,   pass_any, take_turns, feed};

	pthread_barrier_init(&work_barrier, NULL, TEAM);
	sem_init(&work_space_sem, 0, 1);
	sem_init(&work_pong, 0, 1);
	for (size_t i = 0; i < sizeof four / sizeof *four; i++)
		run(TEAM, four[i]);
	for (size_t i = 0; i < sizeof two / sizeof *two; i++)
		run(2, two[i]);
	run(1, wait_for_time);
}

int main(void)
{
	use_locks();
	use_work();
	return 0;
}
