/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * wakes - counts the calls that wake threads which wait for a condition variable or a semaphore,
 * and notes how a thread has used what it waits for: what the object is used as shows in who wakes
 * (profile/locks/uses.h).
 *
 * A call is in the row of its thread and caller, as `untimed` releases. Calls before any thread has
 * waited for the object are not counted: no record is made for them.
 */
#ifndef INJECT_PRELOAD_WAKES_H
#define INJECT_PRELOAD_WAKES_H

#include "inject/preload/thread.h"

/* Counts a call that wakes. all: it wakes all threads that wait. Called before the call, as a
 * thread that it wakes may free the object. */
void wakes_add(struct thread *t, uintptr_t object, enum locks_kind kind, uintptr_t caller,
	       bool all);
/* Sets `handed` and `balanced` in the rows of a thread that exits. Called under the guard. */
void wakes_note_exit(const struct thread *t);

#endif
