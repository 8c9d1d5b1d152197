/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * counts - adds the counts between two readings of a thread's events: to a phase of a lock, and to
 * a state of the thread. An event whose count is unknown in one of the readings is not added.
 */
#ifndef INJECT_PRELOAD_COUNTS_H
#define INJECT_PRELOAD_COUNTS_H

#include "inject/preload/thread.h"

/* Adds the counts between two readings to one phase of a row's counts. */
void counts_add(const struct thread *t, struct locks_quantity *counts, enum locks_phase phase,
		const struct moment *from, const struct moment *to);
/* Adds the counts since t->last to the present state of the thread; `now` becomes t->last. */
void counts_add_state(struct thread *t, const struct moment *now);

#endif
