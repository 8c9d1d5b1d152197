/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * attempt - functions that acquire a lock, each by two of the C library: who gets it by the one
 * that tries did not wait for it. So this is known of locks of all types, and what they refuse is
 * refused by their own functions.
 *
 *   ATTEMPT(lock, kind, try, busy, then, got)   acquires it and waits for that
 *   ATTEMPT_ONCE(lock, kind, try, got)          tries
 *   ATTEMPT_RELEASE(lock, call)                 releases it
 *   ATTEMPT_RENEW(lock, call)                   makes or ends it
 *
 * Each is the body of a function and returns what the C library does. `ret` is what the call has
 * returned: it is `busy` where somebody else has the lock, and `got` says whether it was acquired.
 */
#ifndef INJECT_PRELOAD_ATTEMPT_H
#define INJECT_PRELOAD_ATTEMPT_H

#include "inject/preload/find.h"
#include "inject/preload/instance.h"
#include "inject/preload/measure.h"
#include "inject/preload/real.h"

/* A lock that is acquired to be shared. */
#define ATTEMPT_SHARED(object) ((uintptr_t)(object) | THREAD_SHARED)

static inline void attempt_end(struct measure *m, bool got)
{
	/* Measuring has stopped meanwhile. */
	if (__builtin_expect(!m->t->measured, 0))
		return;
	if (measure_is_timed(m))
		events_read_after(m->t->events, &m->end);
	if (__builtin_expect(got, 1))
		measure_acquired(m);
	else
		measure_failed(m);
}

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
		attempt_end(&m, got);                                                              \
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
		attempt_end(&m, got);                                                              \
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

/* What makes or ends a lock: what was at its address is another one, but not where a child does so
 * to what its parent has. */
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
