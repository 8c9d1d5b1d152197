/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* part of wait: condition variables of POSIX threads. */
#include "inject/preload/attempt.h"
#include "inject/preload/wait.h"

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
