/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * abandoned - finds calls of regions that were left without their end, by longjmp(3) or an
 * exception.
 *
 * Such a call shows when its region begins again: recursion stands deeper on the stack, or at
 * another place of the same function. A call at the same height from the same place, or at a higher
 * one, shows that the function of the earlier call is not there any more. Only heights in the
 * thread's own stack are compared: signal handlers and coroutines may have other ones.
 *
 * A frame that is abandoned gets another number, and goes when no frame is above it: a signal
 * handler may look for them while the code that it has interrupted uses the frames above.
 */
#ifndef INJECT_LIB_ABANDONED_H
#define INJECT_LIB_ABANDONED_H

#include "inject/lib/thread.h"

/* Where a region begins. */
struct tt_place {
	uintptr_t stack; /* its height there */
	uintptr_t code;  /* the instruction behind the call */
};

/* Finds the bounds of the stack of the calling thread. */
void tt_stack_find(struct tt_thread *t);
/* Marks a frame, unless it is marked. */
void tt_abandon(struct tt_thread *t, struct tt_frame *f);
/* Marks all calls that go on; by a thread that ends. */
void tt_abandon_all(struct tt_thread *t);
/* Marks the calls of a region that cannot go on any more as it begins again, and removes those with
 * nothing above them. */
void tt_abandon_earlier(struct tt_thread *t, const struct tt_region *region,
			const struct tt_place *place);
/* Makes room on a full stack: marks all calls from below this height, and removes them. */
void tt_abandon_deeper(struct tt_thread *t, const struct tt_place *place);
/* Removes the frames that are marked, from below this one on downwards: it becomes the top else. */
void tt_abandoned_pop(struct tt_thread *t, struct tt_frame *top);

/* Whether the innermost call is of the region, too, and stands higher: the usual case. */
static inline bool tt_is_recursion(const struct tt_thread *t, uint32_t id, uintptr_t stack)
{
	const struct tt_frame *f = t->top - 1;

	return f->id == id && f->stack > stack;
}

#endif
