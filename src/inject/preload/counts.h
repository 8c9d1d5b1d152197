/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * counts - what a thread has counted between two readings of its events: of a phase of a lock, and
 * of a state of the thread. What is not known of one of both readings is not added.
 */
#ifndef INJECT_PRELOAD_COUNTS_H
#define INJECT_PRELOAD_COUNTS_H

#include "inject/preload/thread.h"

/* To the counts of a row. */
void counts_add(const struct thread *t, struct locks_quantity *counts, enum locks_phase phase,
		const struct moment *from, const struct moment *to);
/* To the state that the thread's slot says, since t->last, which is then the newer of both. */
void counts_add_state(struct thread *t, const struct moment *now);

#endif
