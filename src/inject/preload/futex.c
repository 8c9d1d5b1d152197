/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* part of thread: calls of syscall(2) and prctl(2) by the program itself. Filters of system calls
 * are set by both (seccomp.h), and futex(2) is called by the first one: the C library has no
 * function for them, so std::counting_semaphore of C++, the library of Rust, and GLib use
 * syscall(2). What they wait for is no lock that is known here; that they do is noted. Who has the
 * system call in its own code, as libgomp, is not seen. */
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

/* A handler of a signal may come amid the adding. */
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
	/* The guard waits by it, too. */
	if (number == SYS_futex && !guard_is_own())
		note(FIND_CALLER);
	return seccomp_call_syscall(real.syscall, number, argument);
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
