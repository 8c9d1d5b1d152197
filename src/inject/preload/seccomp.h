/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * seccomp - reacts to seccomp filters that the program sets for itself, by prctl(2) or by
 * syscall(2).
 *
 * A filter also applies to the system calls of this object, and may kill the program for a call
 * that the program itself never makes. So each filter is examined before it is set. If it allows
 * all calls that this object needs, measuring goes on, but not in children of fork(2), which need
 * more calls, and the CPU time of threads is no longer read. Otherwise measuring stops for good in
 * all threads, and this object makes no further system call. If the kernel refuses the filter,
 * measuring goes on. A filter of one thread is treated like a filter of all threads, and one of a
 * child of vfork(2), which shares the memory of its parent, like a filter of the parent: children
 * of the parent are then not measured, but neither process is killed. A filter set by a system
 * call in the program's own code is not noticed.
 */
#ifndef INJECT_PRELOAD_SECCOMP_H
#define INJECT_PRELOAD_SECCOMP_H

#include <stdarg.h>
#include <stdbool.h>
#include <sys/syscall.h>

#include "inject/preload/seccomp_filter.h"

typedef long seccomp_syscall_function(long, ...);
typedef int seccomp_prctl_function(int, ...);

/* Reads as many arguments as the kernel does, whether the caller has passed them or not. Unrolled,
 * as every system call through syscall(2) pays for it. */
static inline __attribute__((always_inline)) void seccomp_take_arguments(long *argument,
									 va_list list)
{
#pragma GCC unroll 6
	for (int i = 0; i < SECCOMP_CALL_ARGUMENTS; i++)
		argument[i] = va_arg(list, long);
}

/* Returns whether a system call can set a filter, so that it needs seccomp_call_syscall(). */
static inline bool seccomp_may_set(long number)
{
	return number == SYS_seccomp || number == SYS_prctl;
}

/* Call syscall(2) or prctl(2) with argument[SECCOMP_CALL_ARGUMENTS], and handle a filter that the
 * call sets. */
long seccomp_call_syscall(seccomp_syscall_function *call, long number, const long *argument);
int seccomp_call_prctl(seccomp_prctl_function *call, int option, const long *argument);

#endif
