/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * real - finds the functions of the C library that this object wraps.
 *
 * They are looked up by name in the objects after this one (RTLD_NEXT). If a name has an old
 * version with another struct layout, the current version is looked up explicitly, as C libraries
 * before 2.36 return the oldest version by default. On architectures that are newer than the
 * current version, the default version is used. A function that is newer than the C library is not
 * found, but no program with this C library calls it.
 *
 * The lookup may call the program's own malloc(), which may acquire locks. So a function that is
 * not found yet does nothing and returns success: until then there is only one thread, which never
 * needs to wait. real_find() in real.c lists the exceptions.
 */
#ifndef INJECT_PRELOAD_REAL_H
#define INJECT_PRELOAD_REAL_H

#include <pthread.h>
#include <semaphore.h>
#include <stdbool.h>
#include <sys/types.h>
#include <threads.h>
#include <time.h>

/* clang-format off */
#define REAL_TABLE(X) \
	X(mutex_lock, "pthread_mutex_lock", NULL, int, (pthread_mutex_t *)) \
	X(mutex_trylock, "pthread_mutex_trylock", NULL, int, (pthread_mutex_t *)) \
	X(mutex_timedlock, "pthread_mutex_timedlock", NULL, int, (pthread_mutex_t *, const struct timespec *)) \
	X(mutex_clocklock, "pthread_mutex_clocklock", NULL, int, \
	  (pthread_mutex_t *, clockid_t, const struct timespec *)) \
	X(mutex_unlock, "pthread_mutex_unlock", NULL, int, (pthread_mutex_t *)) \
	X(mutex_init, "pthread_mutex_init", NULL, int, (pthread_mutex_t *, const pthread_mutexattr_t *)) \
	X(mutex_destroy, "pthread_mutex_destroy", NULL, int, (pthread_mutex_t *)) \
	X(cond_wait, "pthread_cond_wait", "GLIBC_2.3.2", int, (pthread_cond_t *, pthread_mutex_t *)) \
	X(cond_timedwait, "pthread_cond_timedwait", "GLIBC_2.3.2", int, \
	  (pthread_cond_t *, pthread_mutex_t *, const struct timespec *)) \
	X(cond_clockwait, "pthread_cond_clockwait", NULL, int, \
	  (pthread_cond_t *, pthread_mutex_t *, clockid_t, const struct timespec *)) \
	X(cond_signal, "pthread_cond_signal", "GLIBC_2.3.2", int, (pthread_cond_t *)) \
	X(cond_broadcast, "pthread_cond_broadcast", "GLIBC_2.3.2", int, (pthread_cond_t *)) \
	X(cond_init, "pthread_cond_init", "GLIBC_2.3.2", int, (pthread_cond_t *, const pthread_condattr_t *)) \
	X(cond_destroy, "pthread_cond_destroy", "GLIBC_2.3.2", int, (pthread_cond_t *)) \
	X(rwlock_rdlock, "pthread_rwlock_rdlock", NULL, int, (pthread_rwlock_t *)) \
	X(rwlock_tryrdlock, "pthread_rwlock_tryrdlock", NULL, int, (pthread_rwlock_t *)) \
	X(rwlock_timedrdlock, "pthread_rwlock_timedrdlock", NULL, int, (pthread_rwlock_t *, const struct timespec *)) \
	X(rwlock_clockrdlock, "pthread_rwlock_clockrdlock", NULL, int, \
	  (pthread_rwlock_t *, clockid_t, const struct timespec *)) \
	X(rwlock_wrlock, "pthread_rwlock_wrlock", NULL, int, (pthread_rwlock_t *)) \
	X(rwlock_trywrlock, "pthread_rwlock_trywrlock", NULL, int, (pthread_rwlock_t *)) \
	X(rwlock_timedwrlock, "pthread_rwlock_timedwrlock", NULL, int, (pthread_rwlock_t *, const struct timespec *)) \
	X(rwlock_clockwrlock, "pthread_rwlock_clockwrlock", NULL, int, \
	  (pthread_rwlock_t *, clockid_t, const struct timespec *)) \
	X(rwlock_unlock, "pthread_rwlock_unlock", NULL, int, (pthread_rwlock_t *)) \
	X(rwlock_init, "pthread_rwlock_init", NULL, int, (pthread_rwlock_t *, const pthread_rwlockattr_t *)) \
	X(rwlock_destroy, "pthread_rwlock_destroy", NULL, int, (pthread_rwlock_t *)) \
	X(spin_lock, "pthread_spin_lock", NULL, int, (pthread_spinlock_t *)) \
	X(spin_trylock, "pthread_spin_trylock", NULL, int, (pthread_spinlock_t *)) \
	X(spin_unlock, "pthread_spin_unlock", NULL, int, (pthread_spinlock_t *)) \
	X(spin_init, "pthread_spin_init", NULL, int, (pthread_spinlock_t *, int)) \
	X(spin_destroy, "pthread_spin_destroy", NULL, int, (pthread_spinlock_t *)) \
	X(sem_wait, "sem_wait", "GLIBC_2.1", int, (sem_t *)) \
	X(sem_timedwait, "sem_timedwait", NULL, int, (sem_t *, const struct timespec *)) \
	X(sem_clockwait, "sem_clockwait", NULL, int, (sem_t *, clockid_t, const struct timespec *)) \
	X(sem_trywait, "sem_trywait", "GLIBC_2.1", int, (sem_t *)) \
	X(sem_post, "sem_post", "GLIBC_2.1", int, (sem_t *)) \
	X(sem_init, "sem_init", "GLIBC_2.1", int, (sem_t *, int, unsigned)) \
	X(sem_destroy, "sem_destroy", "GLIBC_2.1", int, (sem_t *)) \
	X(barrier_wait, "pthread_barrier_wait", NULL, int, (pthread_barrier_t *)) \
	X(barrier_init, "pthread_barrier_init", NULL, int, \
	  (pthread_barrier_t *, const pthread_barrierattr_t *, unsigned)) \
	X(barrier_destroy, "pthread_barrier_destroy", NULL, int, (pthread_barrier_t *)) \
	X(mtx_lock, "mtx_lock", NULL, int, (mtx_t *)) \
	X(mtx_timedlock, "mtx_timedlock", NULL, int, (mtx_t *, const struct timespec *)) \
	X(mtx_trylock, "mtx_trylock", NULL, int, (mtx_t *)) \
	X(mtx_unlock, "mtx_unlock", NULL, int, (mtx_t *)) \
	X(mtx_init, "mtx_init", NULL, int, (mtx_t *, int)) \
	X(mtx_destroy, "mtx_destroy", NULL, void, (mtx_t *)) \
	X(cnd_wait, "cnd_wait", NULL, int, (cnd_t *, mtx_t *)) \
	X(cnd_timedwait, "cnd_timedwait", NULL, int, (cnd_t *, mtx_t *, const struct timespec *)) \
	X(cnd_signal, "cnd_signal", NULL, int, (cnd_t *)) \
	X(cnd_broadcast, "cnd_broadcast", NULL, int, (cnd_t *)) \
	X(cnd_init, "cnd_init", NULL, int, (cnd_t *)) \
	X(cnd_destroy, "cnd_destroy", NULL, void, (cnd_t *)) \
	X(create, "pthread_create", NULL, int, (pthread_t *, const pthread_attr_t *, void *(*)(void *), void *)) \
	X(thrd_create, "thrd_create", NULL, int, (thrd_t *, thrd_start_t, void *)) \
	X(dlclose, "dlclose", NULL, int, (void *)) \
	X(execve, "execve", NULL, int, (const char *, char *const *, char *const *)) \
	X(execv, "execv", NULL, int, (const char *, char *const *)) \
	X(execvp, "execvp", NULL, int, (const char *, char *const *)) \
	X(execvpe, "execvpe", NULL, int, (const char *, char *const *, char *const *)) \
	X(execveat, "execveat", NULL, int, (int, const char *, char *const *, char *const *, int)) \
	X(fexecve, "fexecve", NULL, int, (int, char *const *, char *const *)) \
	X(_exit, "_exit", NULL, void, (int)) \
	X(abort, "abort", NULL, void, (void)) \
	X(setuid, "setuid", NULL, int, (uid_t)) \
	X(seteuid, "seteuid", NULL, int, (uid_t)) \
	X(setreuid, "setreuid", NULL, int, (uid_t, uid_t)) \
	X(setresuid, "setresuid", NULL, int, (uid_t, uid_t, uid_t)) \
	X(chroot, "chroot", NULL, int, (const char *)) \
	X(unshare, "unshare", NULL, int, (int)) \
	X(setns, "setns", NULL, int, (int, int)) \
	X(syscall, "syscall", NULL, long, (long, ...)) \
	X(prctl, "prctl", NULL, int, (int, ...))
/* clang-format on */

struct real {
#define REAL_FIELD(field, name, version, result, arguments) result(*field) arguments;
	REAL_TABLE(REAL_FIELD)
#undef REAL_FIELD
};

extern struct real real;

/* Finds all functions, once. Returns false if called from inside the lookup. */
bool real_find(void);

#endif
