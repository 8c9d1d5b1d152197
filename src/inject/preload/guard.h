/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * guard - what all threads of the process share is changed by one at a time: when a thread, a lock
 * or a caller is seen for the first time.
 *
 * It is no lock of the C library, as those are measured. While it is held, no signal is taken: so
 * a handler that locks does not wait for its own thread; and the thread is not cancelled, as what
 * it was in may be no place for that. errno is kept.
 */
#ifndef INJECT_PRELOAD_GUARD_H
#define INJECT_PRELOAD_GUARD_H

#include <stdbool.h>
#include <stdint.h>

struct guard {
	uint64_t mask; /* of signals, as the kernel has it */
	int error, cancellation;
};

void guard_enter(struct guard *g);
void guard_leave(const struct guard *g);
/* The thread is under it as far as guard_is_own() says, beside others. No system call is made, so
 * signals are taken. */
void guard_enter_alone(void);
void guard_leave_alone(void);
/* Whether this thread is under it: what it calls then, it calls for this object. */
bool guard_is_own(void);
/* In a child: who held it is not there. The signals stay as they are. */
void guard_forget(void);

#endif
