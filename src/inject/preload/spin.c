/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* part of attempt: the spin locks of POSIX threads. */
#include <errno.h>

#include "inject/preload/attempt.h"

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
