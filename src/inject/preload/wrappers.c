/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* entry of tiptop-locks.so: the functions of the C library that acquire and release locks, wait for
 * condition variables, semaphores and barriers, and unload libraries. A wrapper finds the caller
 * and the thread, measures the call (measure.h), and calls the C library's function (real.h). */
#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>

#include "inject/preload/locks.h"
#include "inject/preload/measure.h"
#include "inject/preload/process.h"
#include "inject/preload/real.h"
#include "inject/preload/thread.h"

/* ---- attempt ----
 *
 * Macros with the bodies of wrappers that acquire a lock. A wrapper first calls the C
 * library's function that tries to acquire the lock: if it succeeds, the thread did not wait. Only
 * if the lock is taken, the wrapper calls the function that waits. So waits are detected for locks
 * of all types, and the C library's own functions report all errors.
 *
 *   ATTEMPT(lock, kind, try, busy, then, got)   acquires a lock, waiting if it is taken
 *   ATTEMPT_ONCE(lock, kind, try, got)          tries to acquire it
 *   ATTEMPT_RELEASE(lock, call)                 releases it
 *   ATTEMPT_RENEW(lock, call)                   initializes or destroys it
 *
 * Each macro returns the result of the C library, `ret`. `try` and `then` are calls of the C
 * library, of which `then` waits. The result `busy` of `try` means that another thread has the
 * lock; `got` is an expression that is true if the lock was acquired.
 */

/* The address of a lock that is acquired shared, by a reader (thread.h). */
#define ATTEMPT_SHARED(object) ((uintptr_t)(object) | THREAD_SHARED)

#define ATTEMPT(object, what, try, busy, then, got)                                                \
	do {                                                                                       \
		struct measure_plain plain;                                                        \
		struct measure m;                                                                  \
		int ret;                                                                           \
                                                                                                   \
		if (attempt_is_plain(&plain, (uintptr_t)(object), FIND_CALLER)) {                  \
			ret = try;                                                                 \
			if (__builtin_expect(!ret, 1)) {                                           \
				attempt_end(&plain, (uintptr_t)(object), FIND_CALLER, what);       \
				return 0;                                                          \
			}                                                                          \
			measure_init(&m, thread_self, (uintptr_t)(object), FIND_CALLER, what);     \
			measure_continue(&m, &plain);                                              \
		} else {                                                                           \
			measure_init(&m, find_thread(), (uintptr_t)(object), FIND_CALLER, what);   \
			if (!m.t)                                                                  \
				return then;                                                       \
			measure_begin(&m);                                                         \
			ret = try;                                                                 \
		}                                                                                  \
		if (__builtin_expect(ret == (busy), 0)) {                                          \
			measure_wait(&m);                                                          \
			ret = then;                                                                \
		}                                                                                  \
		measure_end(&m, got);                                                              \
		return ret;                                                                        \
	} while (0)

#define ATTEMPT_ONCE(object, what, try, got)                                                       \
	do {                                                                                       \
		struct measure m;                                                                  \
		int ret;                                                                           \
                                                                                                   \
		measure_init(&m, find_thread(), (uintptr_t)(object), FIND_CALLER, what);           \
		if (!m.t)                                                                          \
			return try;                                                                \
		measure_begin(&m);                                                                 \
		ret = try;                                                                         \
		measure_end(&m, got);                                                              \
		return ret;                                                                        \
	} while (0)

#define ATTEMPT_RELEASE(object, call)                                                              \
	do {                                                                                       \
		struct thread *t = thread_self;                                                    \
		struct moment begin, end;                                                          \
		bool timed;                                                                        \
		int ret;                                                                           \
                                                                                                   \
		if (__builtin_expect(t->ready == THREAD_PLAIN, 1)) {                               \
			const uint64_t since = arch_read_time();                                   \
                                                                                                   \
			ret = call;                                                                \
			if (__builtin_expect(!ret, 1))                                             \
				attempt_release(t, (uintptr_t)(object), since);                    \
			return ret;                                                                \
		}                                                                                  \
		t = find_thread();                                                                 \
		if (!t)                                                                            \
			return call;                                                               \
		timed = measure_times_release(t, (uintptr_t)(object));                             \
		if (__builtin_expect(timed, 1))                                                    \
			events_read_before(t->events, &begin);                                     \
		ret = call;                                                                        \
		if (__builtin_expect(!ret, 1)) {                                                   \
			if (__builtin_expect(timed, 1))                                            \
				events_read_after(t->events, &end);                                \
			measure_released(t, (uintptr_t)(object), timed ? &begin : NULL, &end);     \
		}                                                                                  \
		return ret;                                                                        \
	} while (0)

/* Begins an attempt. Returns whether the thread is plain (measure.h) and has records for it. */
static inline __attribute__((always_inline)) bool attempt_is_plain(struct measure_plain *p,
								   uintptr_t lock, uintptr_t caller)
{
	const struct thread *t = thread_self;

	return __builtin_expect(t->ready == THREAD_PLAIN, 1) &&
	       measure_begin_plain(p, t, lock, caller);
}

static __attribute__((noinline)) void attempt_end_other(const struct measure_plain *p,
							uintptr_t lock, uintptr_t caller,
							enum locks_kind kind, uint64_t end)
{
	struct measure m;

	measure_init(&m, thread_self, lock, caller, kind);
	measure_continue(&m, p);
	m.end.ticks = end;
	if (m.t->measured)
		measure_acquired(&m);
}

/* Ends an attempt of a plain thread that has succeeded at once. */
static inline __attribute__((always_inline)) void
attempt_end(const struct measure_plain *p, uintptr_t lock, uintptr_t caller, enum locks_kind kind)
{
	const uint64_t end = arch_read_time();

	if (__builtin_expect(!measure_acquired_plain(thread_self, p, lock, caller, end), 0))
		attempt_end_other(p, lock, caller, kind, end);
}

static __attribute__((noinline)) void attempt_release_other(struct thread *t, uintptr_t lock,
							    uint64_t begin, uint64_t end)
{
	const struct moment from = {.ticks = begin}, to = {.ticks = end};

	if (t->measured)
		measure_released(t, lock, &from, &to);
}

/* Ends the release of a lock by a plain thread (measure.h). begin: when the release began, in
 * ticks. */
static inline __attribute__((always_inline)) void attempt_release(struct thread *t, uintptr_t lock,
								  uint64_t begin)
{
	const uint64_t end = arch_read_time();

	if (__builtin_expect(!measure_released_plain(t, lock, begin, end), 0))
		attempt_release_other(t, lock, begin, end);
}

/* Ends the record of the lock at this address, if the thread is measured: the next lock at the
 * address is another lock. find_thread() comes first, so that a child does not end records of its
 * parent. */
#define ATTEMPT_RENEW(object, call)                                                                \
	do {                                                                                       \
		const struct thread *t = find_thread();                                            \
		int ret = call;                                                                    \
                                                                                                   \
		if (t && !ret)                                                                     \
			instance_destroy((uintptr_t)(object));                                     \
		return ret;                                                                        \
	} while (0)

/* ---- wait ----
 *
 * The bodies of wrappers that wait for an object which is not held afterwards, or wake
 * threads that wait for it: condition variables, semaphores, barriers.
 *
 *   WAIT(object, kind, mutex, call, woken)   the body of a function
 *   WAKE(object, kind, all, call)            the body of a function that wakes threads
 *
 * The C library releases the mutex of a condition variable and acquires it again internally. So the
 * mutex counts as held up to the begin of the wait and from its end on, even if the thread is
 * cancelled. mutex NULL: no mutex. `ret` is the result of the call; `woken` is an expression that
 * is true if the wait succeeded.
 *
 * A call that wakes threads is counted as a release without a time, in the row of its thread and
 * caller. Calls before any thread has waited for the object are not counted, so objects for which
 * no thread waits need no record.
 */

struct wait {
	struct measure m;
	struct locks_held held;        /* the mutex; row 0: the thread is not known to hold it */
	struct locks_quantity *counts; /* the counts of the row in `held` */
	bool woken;
	bool blocks; /* the thread may be blocked: sched_begin_wait() was called */
};

/* The body of a function that wakes threads; all: true if it wakes all that wait. */
#define WAKE(object, what, all, call)                                                              \
	do {                                                                                       \
		struct thread *t = find_thread();                                                  \
                                                                                                   \
		if (t)                                                                             \
			wait_wake(t, (uintptr_t)(object), what, FIND_CALLER, all);                 \
		return call;                                                                       \
	} while (0)

#define WAIT(object, what, mutex, call, is_woken)                                                  \
	do {                                                                                       \
		struct wait w;                                                                     \
		int ret;                                                                           \
                                                                                                   \
		measure_init(&w.m, find_thread(), (uintptr_t)(object), FIND_CALLER, what);         \
		if (!w.m.t)                                                                        \
			return call;                                                               \
		wait_begin(&w, mutex);                                                             \
		pthread_cleanup_push(wait_end, &w);                                                \
		ret = call;                                                                        \
		w.woken = is_woken;                                                                \
		pthread_cleanup_pop(1);                                                            \
		return ret;                                                                        \
	} while (0)

static void end_hold(struct wait *w, const void *mutex)
{
	struct thread *t = w->m.t;
	struct locks_held *held = measure_held(t->slot, (uintptr_t)mutex);
	struct locks_row *row;

	if (!held)
		return;
	w->held = *held;
	w->counts = measure_readings_of(t, held)->counts;
	row = measure_row_of(held);
	row->sequence++;
	__atomic_thread_fence(__ATOMIC_RELEASE);
	measure_end_hold(t, held, &w->m.begin);
	__atomic_thread_fence(__ATOMIC_RELEASE);
	row->sequence++;
	measure_drop(t, held);
}

/* Notes that the thread holds the mutex again, from `now` on: other threads may have held it during
 * the wait. */
static void begin_hold(struct wait *w, const struct moment *now)
{
	const struct locks_row *row = measure_row_of(&w->held);
	struct locks_thread *s = w->m.t->slot;

	if (row->instance)
		measure_set_owner(w->m.t, &locks.instance[row->instance - 1]);
	if (w->held.since)
		w->held.since = now->ticks;
	if (s->n_held == LOCKS_HELD)
		return;
	measure_note(w->m.t, s->n_held, w->counts, now);
	s->held[s->n_held++] = w->held;
}

/* Returns whether the thread may be blocked in this wait. False for a semaphore that can be taken
 * at once, and for a signal handler that has interrupted a wait: the interrupted wait counts. */
static bool may_block(const struct measure *m)
{
	int value = 0;

	if (m->kind == LOCKS_SEMAPHORE)
		sem_getvalue((sem_t *)m->lock, &value);
	return m->t->n_waiting == 1 && value <= 0;
}

static void wait_begin(struct wait *w, const void *mutex)
{
	struct thread *t = w->m.t;

	w->held.row = 0;
	w->woken = false;
	measure_begin(&w->m);
	measure_open(t, &t->slot->sequence);
	if (mutex)
		end_hold(w, mutex);
	measure_enter_wait(t, w->m.row, &w->m.begin);
	measure_close(t, &t->slot->sequence);
	w->blocks = may_block(&w->m);
	if (w->blocks)
		sched_begin_wait(t);
}

/* Ends the wait, also if the thread is cancelled. wait: a struct wait. */
static void wait_end(void *wait)
{
	struct wait *w = wait;
	struct thread *t = w->m.t;
	struct locks_row *row = w->m.row;
	struct moment now;

	if (!measure_end_idle(&w->m, w->blocks, &now))
		return;
	if (w->held.row)
		begin_hold(w, &now);
	measure_set_state(t, &now);
	if (w->woken) {
		measure_add(t, row, w->m.counts, LOCKS_ACQUIRE, &w->m.begin, &now);
	} else {
		row->failed++;
		row->lost += now.ticks - w->m.begin.ticks;
	}
	t->slot->sequence++;
	measure_close(t, &row->sequence);
}

/* Counts a call that wakes threads; all: it wakes all that wait. Called before the real function,
 * as a thread that it wakes may free the object. */
static void wait_wake(struct thread *t, uintptr_t object, enum locks_kind kind, uintptr_t caller,
		      bool all)
{
	const struct thread_entry *e = thread_find(&t->index, object, caller);
	struct locks_row *row;

	/* The call is in a signal handler that has interrupted a wait: it is not counted. */
	if (t->n_waiting)
		return;
	if (!e || e->instance->ended || e->row->ended) {
		const struct locks_instance *there = instance_find(object);

		if (!there || there->ended)
			return;
		e = thread_add_lock(t, object, kind, caller);
	}
	row = e->row;
	/* In the row `other`, the release would count as that of a lock that is held. */
	if (row == t->other.row)
		return;
	measure_open(t, &row->sequence);
	row->untimed[LOCKS_RELEASE]++;
	row->futex.woken++;
	row->futex.use[LOCKS_BROADCASTS] += all;
	measure_close(t, &row->sequence);
}

/* ---- mutex ----
 *
 * The mutexes of POSIX threads.
 */

/* EOWNERDEAD of a robust mutex is a success, too. */
#define GOT (!ret || ret == EOWNERDEAD)

FIND_PUBLIC int pthread_mutex_lock(pthread_mutex_t *mutex)
{
	ATTEMPT(mutex, LOCKS_MUTEX, real.mutex_trylock(mutex), EBUSY, real.mutex_lock(mutex), GOT);
}

FIND_PUBLIC int pthread_mutex_timedlock(pthread_mutex_t *mutex, const struct timespec *until)
{
	ATTEMPT(mutex, LOCKS_MUTEX, real.mutex_trylock(mutex), EBUSY,
		real.mutex_timedlock(mutex, until), GOT);
}

FIND_PUBLIC int pthread_mutex_clocklock(pthread_mutex_t *mutex, clockid_t clock,
					const struct timespec *until)
{
	ATTEMPT(mutex, LOCKS_MUTEX, real.mutex_trylock(mutex), EBUSY,
		real.mutex_clocklock(mutex, clock, until), GOT);
}

FIND_PUBLIC int pthread_mutex_trylock(pthread_mutex_t *mutex)
{
	ATTEMPT_ONCE(mutex, LOCKS_MUTEX, real.mutex_trylock(mutex), GOT);
}

FIND_PUBLIC int pthread_mutex_unlock(pthread_mutex_t *mutex)
{
	ATTEMPT_RELEASE(mutex, real.mutex_unlock(mutex));
}

FIND_PUBLIC int pthread_mutex_init(pthread_mutex_t *mutex, const pthread_mutexattr_t *attributes)
{
	ATTEMPT_RENEW(mutex, real.mutex_init(mutex, attributes));
}

FIND_PUBLIC int pthread_mutex_destroy(pthread_mutex_t *mutex)
{
	ATTEMPT_RENEW(mutex, real.mutex_destroy(mutex));
}

/* ---- rwlock ----
 *
 * The read-write locks of POSIX threads.
 */

#define READ(busy_call)                                                                            \
	ATTEMPT(ATTEMPT_SHARED(lock), LOCKS_RWLOCK, real.rwlock_tryrdlock(lock), EBUSY, busy_call, \
		!ret)
#define WRITE(busy_call)                                                                           \
	ATTEMPT(lock, LOCKS_RWLOCK, real.rwlock_trywrlock(lock), EBUSY, busy_call, !ret)

FIND_PUBLIC int pthread_rwlock_rdlock(pthread_rwlock_t *lock)
{
	READ(real.rwlock_rdlock(lock));
}

FIND_PUBLIC int pthread_rwlock_timedrdlock(pthread_rwlock_t *lock, const struct timespec *until)
{
	READ(real.rwlock_timedrdlock(lock, until));
}

FIND_PUBLIC int pthread_rwlock_clockrdlock(pthread_rwlock_t *lock, clockid_t clock,
					   const struct timespec *until)
{
	READ(real.rwlock_clockrdlock(lock, clock, until));
}

FIND_PUBLIC int pthread_rwlock_tryrdlock(pthread_rwlock_t *lock)
{
	ATTEMPT_ONCE(ATTEMPT_SHARED(lock), LOCKS_RWLOCK, real.rwlock_tryrdlock(lock), !ret);
}

FIND_PUBLIC int pthread_rwlock_wrlock(pthread_rwlock_t *lock)
{
	WRITE(real.rwlock_wrlock(lock));
}

FIND_PUBLIC int pthread_rwlock_timedwrlock(pthread_rwlock_t *lock, const struct timespec *until)
{
	WRITE(real.rwlock_timedwrlock(lock, until));
}

FIND_PUBLIC int pthread_rwlock_clockwrlock(pthread_rwlock_t *lock, clockid_t clock,
					   const struct timespec *until)
{
	WRITE(real.rwlock_clockwrlock(lock, clock, until));
}

FIND_PUBLIC int pthread_rwlock_trywrlock(pthread_rwlock_t *lock)
{
	ATTEMPT_ONCE(lock, LOCKS_RWLOCK, real.rwlock_trywrlock(lock), !ret);
}

FIND_PUBLIC int pthread_rwlock_unlock(pthread_rwlock_t *lock)
{
	ATTEMPT_RELEASE(lock, real.rwlock_unlock(lock));
}

FIND_PUBLIC int pthread_rwlock_init(pthread_rwlock_t *lock, const pthread_rwlockattr_t *attributes)
{
	ATTEMPT_RENEW(lock, real.rwlock_init(lock, attributes));
}

FIND_PUBLIC int pthread_rwlock_destroy(pthread_rwlock_t *lock)
{
	ATTEMPT_RENEW(lock, real.rwlock_destroy(lock));
}

/* ---- spin ----
 *
 * The spin locks of POSIX threads.
 */

FIND_PUBLIC int pthread_spin_lock(pthread_spinlock_t *lock)
{
	ATTEMPT(lock, LOCKS_SPIN, real.spin_trylock(lock), EBUSY, real.spin_lock(lock), !ret);
}

FIND_PUBLIC int pthread_spin_trylock(pthread_spinlock_t *lock)
{
	ATTEMPT_ONCE(lock, LOCKS_SPIN, real.spin_trylock(lock), !ret);
}

FIND_PUBLIC int pthread_spin_unlock(pthread_spinlock_t *lock)
{
	ATTEMPT_RELEASE(lock, real.spin_unlock(lock));
}

FIND_PUBLIC int pthread_spin_init(pthread_spinlock_t *lock, int shared)
{
	ATTEMPT_RENEW(lock, real.spin_init(lock, shared));
}

FIND_PUBLIC int pthread_spin_destroy(pthread_spinlock_t *lock)
{
	ATTEMPT_RENEW(lock, real.spin_destroy(lock));
}

/* ---- c11 ----
 *
 * The mutexes and condition variables of C11. The C library implements them
 * without calling the wrapped functions of POSIX threads.
 */

#define GOT_C11 (ret == thrd_success)

FIND_PUBLIC int mtx_lock(mtx_t *mutex)
{
	ATTEMPT(mutex, LOCKS_MUTEX, real.mtx_trylock(mutex), thrd_busy, real.mtx_lock(mutex),
		GOT_C11);
}

FIND_PUBLIC int mtx_timedlock(mtx_t *mutex, const struct timespec *until)
{
	ATTEMPT(mutex, LOCKS_MUTEX, real.mtx_trylock(mutex), thrd_busy,
		real.mtx_timedlock(mutex, until), GOT_C11);
}

FIND_PUBLIC int mtx_trylock(mtx_t *mutex)
{
	ATTEMPT_ONCE(mutex, LOCKS_MUTEX, real.mtx_trylock(mutex), GOT_C11);
}

FIND_PUBLIC int mtx_unlock(mtx_t *mutex)
{
	ATTEMPT_RELEASE(mutex, real.mtx_unlock(mutex));
}

FIND_PUBLIC int mtx_init(mtx_t *mutex, int type)
{
	ATTEMPT_RENEW(mutex, real.mtx_init(mutex, type));
}

FIND_PUBLIC void mtx_destroy(mtx_t *mutex)
{
	const struct thread *t = find_thread();

	real.mtx_destroy(mutex);
	if (t)
		instance_destroy((uintptr_t)mutex);
}

FIND_PUBLIC int cnd_wait(cnd_t *cond, mtx_t *mutex)
{
	WAIT(cond, LOCKS_COND, mutex, real.cnd_wait(cond, mutex), GOT_C11);
}

FIND_PUBLIC int cnd_timedwait(cnd_t *cond, mtx_t *mutex, const struct timespec *until)
{
	WAIT(cond, LOCKS_COND, mutex, real.cnd_timedwait(cond, mutex, until), GOT_C11);
}

FIND_PUBLIC int cnd_signal(cnd_t *cond)
{
	WAKE(cond, LOCKS_COND, false, real.cnd_signal(cond));
}

FIND_PUBLIC int cnd_broadcast(cnd_t *cond)
{
	WAKE(cond, LOCKS_COND, true, real.cnd_broadcast(cond));
}

FIND_PUBLIC int cnd_init(cnd_t *cond)
{
	ATTEMPT_RENEW(cond, real.cnd_init(cond));
}

FIND_PUBLIC void cnd_destroy(cnd_t *cond)
{
	const struct thread *t = find_thread();

	real.cnd_destroy(cond);
	if (t)
		instance_destroy((uintptr_t)cond);
}

/* ---- cond ----
 *
 * Condition variables of POSIX threads.
 */

FIND_PUBLIC int pthread_cond_wait(pthread_cond_t *cond, pthread_mutex_t *mutex)
{
	WAIT(cond, LOCKS_COND, mutex, real.cond_wait(cond, mutex), !ret);
}

FIND_PUBLIC int pthread_cond_timedwait(pthread_cond_t *cond, pthread_mutex_t *mutex,
				       const struct timespec *until)
{
	WAIT(cond, LOCKS_COND, mutex, real.cond_timedwait(cond, mutex, until), !ret);
}

FIND_PUBLIC int pthread_cond_clockwait(pthread_cond_t *cond, pthread_mutex_t *mutex,
				       clockid_t clock, const struct timespec *until)
{
	WAIT(cond, LOCKS_COND, mutex, real.cond_clockwait(cond, mutex, clock, until), !ret);
}

FIND_PUBLIC int pthread_cond_signal(pthread_cond_t *cond)
{
	WAKE(cond, LOCKS_COND, false, real.cond_signal(cond));
}

FIND_PUBLIC int pthread_cond_broadcast(pthread_cond_t *cond)
{
	WAKE(cond, LOCKS_COND, true, real.cond_broadcast(cond));
}

FIND_PUBLIC int pthread_cond_init(pthread_cond_t *cond, const pthread_condattr_t *attributes)
{
	ATTEMPT_RENEW(cond, real.cond_init(cond, attributes));
}

FIND_PUBLIC int pthread_cond_destroy(pthread_cond_t *cond)
{
	ATTEMPT_RENEW(cond, real.cond_destroy(cond));
}

/* ---- semaphore ----
 *
 * Semaphores, and the barriers of POSIX threads. Another thread than the one that
 * waited may post a semaphore, so a semaphore does not count as held.
 */

FIND_PUBLIC int sem_wait(sem_t *semaphore)
{
	WAIT(semaphore, LOCKS_SEMAPHORE, NULL, real.sem_wait(semaphore), !ret);
}

FIND_PUBLIC int sem_timedwait(sem_t *semaphore, const struct timespec *until)
{
	WAIT(semaphore, LOCKS_SEMAPHORE, NULL, real.sem_timedwait(semaphore, until), !ret);
}

FIND_PUBLIC int sem_clockwait(sem_t *semaphore, clockid_t clock, const struct timespec *until)
{
	WAIT(semaphore, LOCKS_SEMAPHORE, NULL, real.sem_clockwait(semaphore, clock, until), !ret);
}

FIND_PUBLIC int sem_trywait(sem_t *semaphore)
{
	ATTEMPT_ONCE(semaphore, LOCKS_SEMAPHORE, real.sem_trywait(semaphore), !ret);
}

FIND_PUBLIC int sem_post(sem_t *semaphore)
{
	WAKE(semaphore, LOCKS_SEMAPHORE, false, real.sem_post(semaphore));
}

FIND_PUBLIC int sem_init(sem_t *semaphore, int shared, unsigned value)
{
	ATTEMPT_RENEW(semaphore, real.sem_init(semaphore, shared, value));
}

FIND_PUBLIC int sem_destroy(sem_t *semaphore)
{
	ATTEMPT_RENEW(semaphore, real.sem_destroy(semaphore));
}

/* The last thread to arrive gets PTHREAD_BARRIER_SERIAL_THREAD. */
FIND_PUBLIC int pthread_barrier_wait(pthread_barrier_t *barrier)
{
	WAIT(barrier, LOCKS_BARRIER, NULL, real.barrier_wait(barrier),
	     !ret || ret == PTHREAD_BARRIER_SERIAL_THREAD);
}

FIND_PUBLIC int pthread_barrier_init(pthread_barrier_t *barrier,
				     const pthread_barrierattr_t *attributes, unsigned count)
{
	ATTEMPT_RENEW(barrier, real.barrier_init(barrier, attributes, count));
}

FIND_PUBLIC int pthread_barrier_destroy(pthread_barrier_t *barrier)
{
	ATTEMPT_RENEW(barrier, real.barrier_destroy(barrier));
}

/* ---- close ----
 *
 * Handles libraries that the program unloads: other libraries may be mapped at
 * their addresses later.
 */

static bool had(const struct locks_module *m, uint64_t place)
{
	const uint64_t address = locks_place_address(place);

	return address >= m->begin && address < m->end && locks_place_layer(place) == m->layer;
}

/* Ends all locks and callers in an unloaded file, as other locks and callers may be at the same
 * addresses later. */
static void end_all_of(const struct locks_module *m)
{
	const struct locks_header *h = locks.header;

	for (uint32_t i = 0; i < h->n_instances; i++) {
		const struct locks_instance *lock = &locks.instance[i];

		if (!lock->several && had(m, locks_place(lock->address, lock->layer)))
			instance_destroy((uintptr_t)lock->address);
	}
	for (uint32_t i = 0; i < h->n_rows; i++)
		if (had(m, locks.row[i].caller))
			__atomic_store_n(&locks.row[i].ended, 1, __ATOMIC_RELEASE);
}

/* Calls no other function of the dynamic loader: another thread may be in dlclose() at the same
 * time. */
FIND_PUBLIC int dlclose(void *library)
{
	struct thread *t = find_thread();
	struct guard g;
	int ret;

	if (!t || !process_enter(&g))
		return real.dlclose(library);
	module_note_all();
	guard_leave(&g);
	ret = real.dlclose(library);
	if (!process_enter(&g))
		return ret;
	module_find_unmapped(end_all_of);
	guard_leave(&g);
	return ret;
}
