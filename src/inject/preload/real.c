/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "inject/preload/real.h"

#include <dlfcn.h>
#include <errno.h>
#include <stdatomic.h>
#include <stddef.h>
#include <string.h>
#include <sys/syscall.h>

#include "inject/preload/next.h"
#include "inject/preload/seccomp.h"

/* Replaces the functions that have not been found yet, whatever their arguments are: in all
 * supported ABIs, a function may ignore its arguments. */
static int skip(void)
{
	return 0;
}

static int init_mutex(pthread_mutex_t *mutex, const pthread_mutexattr_t *attributes)
{
	(void)attributes;
	*mutex = (pthread_mutex_t)PTHREAD_MUTEX_INITIALIZER;
	return 0;
}

static int init_cond(pthread_cond_t *cond, const pthread_condattr_t *attributes)
{
	(void)attributes;
	*cond = (pthread_cond_t)PTHREAD_COND_INITIALIZER;
	return 0;
}

static int refuse_create(pthread_t *thread, const pthread_attr_t *attributes,
			 void *(*start)(void *), void *argument)
{
	(void)thread, (void)attributes, (void)start, (void)argument;
	return EAGAIN;
}

/* Unlike the other functions, syscall() and prctl() must work while functions are being found: the
 * program's malloc() may need them. */
static long find_and_call(long number, ...)
{
	long (*const found)(long, ...) = (long (*)(long, ...))dlsym(RTLD_NEXT, "syscall");
	long argument[SECCOMP_CALL_ARGUMENTS];
	va_list list;

	va_start(list, number);
	seccomp_take_arguments(argument, list);
	va_end(list);
	return found(number, argument[0], argument[1], argument[2], argument[3], argument[4],
		     argument[5]);
}

static int find_and_control(int option, ...)
{
	int (*const found)(int, ...) = (int (*)(int, ...))dlsym(RTLD_NEXT, "prctl");
	long argument[SECCOMP_CALL_ARGUMENTS];
	va_list list;

	va_start(list, option);
	seccomp_take_arguments(argument, list);
	va_end(list);
	return found(option, argument[0], argument[1], argument[2], argument[3]);
}

/* Replaces execveat() in C libraries before 2.34, which do not have it. */
static int execute_at(int folder, const char *file, char *const *argv, char *const *environment,
		      int flags)
{
	return (int)real.syscall(SYS_execveat, folder, file, argv, environment, flags);
}

struct real real = {
#define REAL_SKIP(field, name, version, result, arguments)                                         \
	.field = (result(*) arguments)(void *)skip,
	REAL_TABLE(REAL_SKIP)
#undef REAL_SKIP
};

static const struct row {
	const char *name, *version;
	size_t offset;
} rows[] = {
#define REAL_ROW(field, name, version, result, arguments)                                          \
	{name, version, offsetof(struct real, field)},
	REAL_TABLE(REAL_ROW)
#undef REAL_ROW
};

/* Finds a function. A version older than the C library on this architecture does not exist, and is
 * not looked up: the dynamic loader would allocate memory to report the failure. */
static void find(const struct row *row)
{
	const bool is_older = row->version && strverscmp(row->version, ARCH_FIRST_GLIBC) < 0;
	void *found = next_find(row->name, is_older ? NULL : row->version);

	if (found)
		*(void **)(void *)((char *)&real + row->offset) = found;
}

/* True while this thread runs real_find(). */
static __thread bool finding __attribute__((tls_model("initial-exec")));
enum { UNKNOWN, FINDING, FOUND };
static atomic_int state;

bool real_find(void)
{
	int was = UNKNOWN;

	if (atomic_load_explicit(&state, memory_order_acquire) == FOUND)
		return true;
	if (finding)
		return false;
	if (!atomic_compare_exchange_strong(&state, &was, FINDING)) {
		while (atomic_load(&state) != FOUND)
			;
		return true;
	}
	finding = true;
	real.mutex_init = init_mutex;
	real.cond_init = init_cond;
	real.create = refuse_create;
	real.syscall = find_and_call;
	real.prctl = find_and_control;
	real.execveat = execute_at;
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		find(&rows[i]);
	finding = false;
	atomic_store_explicit(&state, FOUND, memory_order_release);
	return true;
}
