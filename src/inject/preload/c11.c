/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* part of attempt: the mutexes and condition variables of C11. The C library implements them
 * without calling the wrapped functions of POSIX threads. */
#include "inject/preload/attempt.h"
#include "inject/preload/wait.h"

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
