/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* part of thread: wraps syscall(2) and prctl(2) of the program. Both can set seccomp filters
 * (seccomp.h). The C library has no function for futex(2), so std::counting_semaphore of C++, the
 * library of Rust, and GLib call it through syscall(2) (futex_call.h). Code that makes the system
 * call itself, such as libgomp, is not noticed. */
#include <sys/prctl.h>
#include <sys/syscall.h>

#include "inject/preload/futex_call.h"
#include "inject/preload/futex_operation.h"
#include "inject/preload/measure.h"
#include "inject/preload/process.h"
#include "inject/preload/real.h"
#include "inject/preload/seccomp.h"

FIND_PUBLIC long syscall(long number, ...)
{
	long argument[SECCOMP_CALL_ARGUMENTS];
	va_list list;

	va_start(list, number);
	seccomp_take_arguments(argument, list);
	va_end(list);
	real_find();
	/* The guard itself waits by futex(2). */
	if (__builtin_expect(futex_is_call(number), 0) && !guard_is_own())
		return futex_call(number, argument, FIND_CALLER);
	if (__builtin_expect(seccomp_may_set(number), 0))
		return seccomp_call_syscall(real.syscall, number, argument);
	return real.syscall(number, argument[0], argument[1], argument[2], argument[3], argument[4],
			    argument[5]);
}

FIND_PUBLIC int prctl(int option, ...)
{
	long argument[SECCOMP_CALL_ARGUMENTS];
	va_list list;

	va_start(list, option);
	seccomp_take_arguments(argument, list);
	va_end(list);
	real_find();
	return seccomp_call_prctl(real.prctl, option, argument);
}
