/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* part of attempt: the mutexes of POSIX threads. */
#include <errno.h>

#include "inject/preload/attempt.h"

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
