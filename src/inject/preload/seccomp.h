/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * seccomp - filters of system calls that the program sets for itself, by prctl(2) or by syscall(2).
 *
 * A filter also holds for what this object does, and ends a program for a system call that it does
 * not make itself. So before it is set, it is looked at: where it allows all that is needed here,
 * measuring goes on, but not in children of fork(2), which need more. Else measuring stops for good
 * in all threads, and this object makes no system call any more; if the kernel refuses the filter,
 * it goes on. A filter of one thread is taken as one of all. What is set by a system call in the
 * program's own code is not seen.
 */
#ifndef INJECT_PRELOAD_SECCOMP_H
#define INJECT_PRELOAD_SECCOMP_H

#include <stdarg.h>

#include "inject/preload/seccomp_filter.h"

typedef long seccomp_syscall_function(long, ...);
typedef int seccomp_prctl_function(int, ...);

/* As many as the kernel takes, whether they were given or not. */
static inline void seccomp_take_arguments(long *argument, va_list list)
{
	for (int i = 0; i < SECCOMP_CALL_ARGUMENTS; i++)
		argument[i] = va_arg(list, long);
}

/* What the functions of these names do, with all of argument[SECCOMP_CALL_ARGUMENTS]. */
long seccomp_call_syscall(seccomp_syscall_function *call, long number, const long *argument);
int seccomp_call_prctl(seccomp_prctl_function *call, int option, const long *argument);

#endif
