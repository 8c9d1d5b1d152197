/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * futex_call - measures the calls of futex(2) that the program makes through syscall(2).
 *
 * A futex is an object of its own kind (LOCKS_FUTEX), with a row for each caller: a wait is like a
 * wait for a semaphore, and a call that wakes threads like a release. The caller that woke threads
 * last before the end of a wait takes the place of the holder in the record of the wait.
 *
 * A wait is not added to a row if the thread waits for another lock already, as it is then a part
 * of that wait; nor is a call whose futex lies in memory of a lock that has rows of another kind.
 *
 * The call has the same result, errno and arguments as without this object.
 */
#ifndef INJECT_PRELOAD_FUTEX_CALL_H
#define INJECT_PRELOAD_FUTEX_CALL_H

#include <stdint.h>

/* Makes the system call, for which futex_is_call() is true. */
long futex_call(long number, const long *argument, uintptr_t caller);

#endif
