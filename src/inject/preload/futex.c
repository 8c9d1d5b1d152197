/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* part of thread: wraps syscall(2) and prctl(2) of the program. Both can set seccomp filters
 * (seccomp.h). The C library has no function for futex(2), so std::counting_semaphore of C++, the
 * library of Rust, and GLib call it through syscall(2). The locks behind such calls are unknown
 * here, so the calls are only counted. Code that makes the system call itself, such as libgomp, is
 * not noticed. */
#include <sys/prctl.h>
#include <sys/syscall.h>

#include "inject/preload/find.h"
#include "inject/preload/guard.h"
#include "inject/preload/locks.h"
#include "inject/preload/module.h"
#include "inject/preload/process.h"
#include "inject/preload/real.h"
#include "inject/preload/seccomp.h"

static void note_first(uintptr_t caller)
{
	struct guard g;

	if (!process_enter(&g))
		return;
	if (!locks.header->futex_caller)
		locks.header->futex_caller = module_note(caller);
	guard_leave(&g);
}

/* Counts a call of futex(2). The addition is atomic, as a signal handler may interrupt it and add
 * to the same number. */
static void note(uintptr_t caller)
{
	struct thread *t = find_thread();

	if (!t)
		return;
	__atomic_fetch_add(&t->slot->n_futex, 1, __ATOMIC_RELAXED);
	if (!locks.header->futex_caller)
		note_first(caller);
}

FIND_PUBLIC long syscall(long number, ...)
{
	long argument[SECCOMP_CALL_ARGUMENTS];
	va_list list;

	va_start(list, number);
	seccomp_take_arguments(argument, list);
	va_end(list);
	real_find();
	/* The guard itself waits by futex(2). */
	if (number == SYS_futex && !guard_is_own())
		note(FIND_CALLER);
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
