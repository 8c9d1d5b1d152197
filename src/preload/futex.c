/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* part of thread: calls of futex(2) by the program itself. The C library has no function for them,
 * so std::counting_semaphore of C++, the library of Rust, and GLib use syscall(2). What they wait
 * for is no lock that is known here; that they do is noted. Who has the system call in its own
 * code, as libgomp, is not seen. */
#include <sys/syscall.h>

#include "preload/find.h"
#include "preload/guard.h"
#include "preload/locks.h"
#include "preload/module.h"
#include "preload/real.h"

static void note_first(uintptr_t caller)
{
	struct guard g;

	guard_enter(&g);
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
	long argument[REAL_ARGUMENTS];
	va_list list;

	va_start(list, number);
	real_take_arguments(argument, list);
	va_end(list);
	real_find();
	/* The guard waits by it, too. */
	if (number == SYS_futex && !guard_is_own())
		note(FIND_CALLER);
	return real.syscall(number, argument[0], argument[1], argument[2], argument[3], argument[4],
			    argument[5]);
}
