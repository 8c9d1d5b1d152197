/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* part of attempt: the read-write locks of POSIX threads. */
#include <errno.h>

#include "inject/preload/attempt.h"

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
