/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* part of wait: semaphores, and the barriers of POSIX threads. Another thread than the one that
 * waited may post a semaphore, so a semaphore does not count as held. */
#include "inject/preload/attempt.h"
#include "inject/preload/wait.h"

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
