/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * wait - the bodies of wrappers that wait for an object which is not held afterwards, or wake
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
#ifndef INJECT_PRELOAD_WAIT_H
#define INJECT_PRELOAD_WAIT_H

#include <pthread.h>

#include "inject/preload/measure.h"

struct wait {
	struct measure m;
	struct locks_held held;        /* the mutex; row 0: the thread is not known to hold it */
	struct locks_quantity *counts; /* the counts of the row in `held` */
	bool woken;
	bool blocks; /* the thread may be blocked: sched_begin_wait() was called */
};

void wait_begin(struct wait *w, const void *mutex);
/* Ends the wait, also if the thread is cancelled. wait: a struct wait. */
void wait_end(void *wait);

/* Counts a call that wakes threads; all: it wakes all that wait. Called before the real function,
 * as a thread that it wakes may free the object. */
void wait_wake(struct thread *t, uintptr_t object, enum locks_kind kind, uintptr_t caller,
	       bool all);
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

#endif
