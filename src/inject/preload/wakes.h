/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * wakes - counts the calls that wake threads which wait for a condition variable or a semaphore.
 * When a thread exits, notes for each object that is not held, futexes included, whether the thread
 * has both waited and woken: this shows what the object is used as (profile/locks/uses.h).
 *
 * A call is a release without a time, in the row of its thread and caller. Calls before any thread
 * has waited for the object are not counted, so objects for which no thread waits need no record.
 */
#ifndef INJECT_PRELOAD_WAKES_H
#define INJECT_PRELOAD_WAKES_H

#include "inject/preload/thread.h"

/* Counts a call that wakes threads; all: it wakes all that wait. Called before the real function,
 * as a thread that it wakes may free the object. */
void wakes_add(struct thread *t, uintptr_t object, enum locks_kind kind, uintptr_t caller,
	       bool all);
/* Sets futex.handed and LOCKS_BALANCED in the rows of a thread that exits, before the rows are
 * merged. Called under the guard. */
void wakes_note_exit(const struct thread *t);

#endif
