/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * wakes - notes, when a thread exits, for each object that is not held, futexes included, whether
 * the thread has both waited and woken: this shows what the object is used as
 * (profile/locks/report.h).
 */
#ifndef INJECT_PRELOAD_WAKES_H
#define INJECT_PRELOAD_WAKES_H

#include "inject/preload/thread.h"

/* Sets futex.handed and LOCKS_BALANCED in the rows of a thread that exits, before the rows are
 * merged. Called under the guard. */
void wakes_note_exit(const struct thread *t);

#endif
