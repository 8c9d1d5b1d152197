/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * attempt - macros with the bodies of wrappers that acquire a lock. A wrapper first calls the C
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
#ifndef INJECT_PRELOAD_ATTEMPT_H
#define INJECT_PRELOAD_ATTEMPT_H

#include "inject/preload/locks.h"
#include "inject/preload/measure.h"
#include "inject/preload/real.h"

/* The address of a lock that is acquired shared, by a reader (thread.h). */
#define ATTEMPT_SHARED(object) ((uintptr_t)(object) | THREAD_SHARED)

#define ATTEMPT(object, what, try, busy, then, got)                                                \
	do {                                                                                       \
		struct measure m;                                                                  \
		int ret;                                                                           \
                                                                                                   \
		measure_init(&m, find_thread(), (uintptr_t)(object), FIND_CALLER, what);           \
		if (!m.t)                                                                          \
			return then;                                                               \
		measure_begin(&m);                                                                 \
		ret = try;                                                                         \
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
		struct thread *t = find_thread();                                                  \
		struct moment begin, end;                                                          \
		bool timed;                                                                        \
		int ret;                                                                           \
                                                                                                   \
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

#endif
