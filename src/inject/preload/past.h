/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * past - what a thread leaves of its own when it ends: its rows become those of all that have
 * ended, and nobody could tell any more what was its part.
 *
 * The table has room for the first LOCKS_PASTS of them. What the others did is what all that have
 * ended did, less that of these.
 */
#ifndef INJECT_PRELOAD_PAST_H
#define INJECT_PRELOAD_PAST_H

#include "inject/preload/thread.h"

/* Of a thread that ends, while its rows are still its own; under the guard, and while the sequence
 * of the header is odd. */
void past_note(const struct thread *t);

#endif
