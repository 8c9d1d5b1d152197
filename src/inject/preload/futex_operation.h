/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * futex_operation - finds out whether a system call waits for a futex or wakes threads that wait:
 * futex(2), and the newer system calls futex_wait, futex_waitv, futex_wake and futex_requeue.
 *
 * Only the arguments are read, not the memory that they point to.
 */
#ifndef INJECT_PRELOAD_FUTEX_OPERATION_H
#define INJECT_PRELOAD_FUTEX_OPERATION_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/syscall.h>

#include "inject/preload/table.h"

/* The numbers are the same on all supported architectures; older headers do not have them.
 * futex_time64 is futex(2) on those of 32 bits. */
enum {
	FUTEX_CALL_TIME64 = 422,
	FUTEX_CALL_WAITV = 449,
	FUTEX_CALL_WAKE = 454,
	FUTEX_CALL_WAIT = 455,
	FUTEX_CALL_REQUEUE = 456,
};

enum futex_role { FUTEX_ROLE_NONE, FUTEX_ROLE_WAIT, FUTEX_ROLE_WAKE };

struct futex_operation {
	enum futex_role role;
	/* The address of the futex. If is_vector, that of an array of struct futex_waitv, whose
	 * first element has the address of the futex. */
	uintptr_t address;
	bool is_vector;
	bool inherits; /* the futex is a lock with priority inheritance, whose owner the kernel
			  knows */
};

/* Returns whether a system call may be one of these; cheap. */
static inline bool futex_is_call(long number)
{
	if (number == SYS_futex || number == FUTEX_CALL_TIME64)
		return true;
	return number == FUTEX_CALL_WAITV ||
	       (unsigned long)number - FUTEX_CALL_WAKE <= FUTEX_CALL_REQUEUE - FUTEX_CALL_WAKE;
}

/* Returns the operation of a call. number: futex_is_call() is true. argument: as in the system
 * call, six numbers. Operations that neither wait nor wake, such as FUTEX_TRYLOCK_PI, and calls
 * without a valid address have no role. */
struct futex_operation futex_operation_of(long number, const long *argument);

/* Returns the size of an object of this kind, within which the C library may have a futex. */
size_t futex_object_size(enum locks_kind kind);

#endif
