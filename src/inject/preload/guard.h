/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * guard - the lock for data that all threads of the process share. A thread changes these data when
 * a thread, a lock or a caller is seen for the first time.
 *
 * It is not a lock of the C library, as locks of the C library are measured. While it is held,
 * signals are blocked, so that a handler that acquires locks does not wait for its own thread; and
 * cancellation is disabled, as the interrupted function may not be a cancellation point. errno is
 * preserved.
 */
#ifndef INJECT_PRELOAD_GUARD_H
#define INJECT_PRELOAD_GUARD_H

#include <stdbool.h>
#include <stdint.h>

struct guard {
	uint64_t mask; /* the signal mask in the kernel's format */
	int error, cancellation;
};

void guard_enter(struct guard *g);
void guard_leave(const struct guard *g);
/* Make guard_is_own() true, and false again, without taking the guard. They make no system call, so
 * signals are not blocked. */
void guard_enter_alone(void);
void guard_leave_alone(void);
/* Returns whether this thread is in the guard, so that its calls are calls of this object. */
bool guard_is_own(void);
/* In a child: frees the guard, as the thread that held it does not exist there. The signal mask
 * stays unchanged. */
void guard_forget(void);

#endif
