/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * abandoned - finds calls of regions that were left without their end, by longjmp(3) or an
 * exception.
 *
 * Such a call is noticed when its region begins again. A recursive call begins deeper on the stack,
 * or at another place of the same function. A call that begins at the same height from the same
 * place, or higher up, shows that the function of the earlier call has been left. Only heights in
 * the thread's own stack are compared: signal handlers and coroutines may run on other stacks.
 *
 * An abandoned frame is marked by the id THREAD_ABANDONED, and removed when no frame is above it: a
 * signal handler may search for such frames while the code that it interrupted uses the frames
 * above.
 */
#ifndef INJECT_LIB_ABANDONED_H
#define INJECT_LIB_ABANDONED_H

#include "inject/lib/thread.h"

/* The place where a region begins. */
struct tt_place {
	uintptr_t stack; /* its height on the stack: the canonical frame address (CFA) */
	uintptr_t code;  /* the return address of the call */
};

/* Estimates the bounds of the calling thread's stack: the lower bound is only assumed. */
void tt_stack_find(struct tt_thread *t);
/* Marks a frame, unless it is marked already. */
void tt_abandon(struct tt_thread *t, struct tt_frame *f);
/* Marks and removes all calls in progress. Called by a thread that exits. */
void tt_abandon_all(struct tt_thread *t);
/* Marks the calls of a region that must have been left, as the region begins again at `place`.
 * Removes the marked frames that have no other frame above them. */
void tt_abandon_earlier(struct tt_thread *t, const struct tt_region *region,
			const struct tt_place *place);
/* Makes room on a full stack of frames: marks all calls that began deeper than `place`, and removes
 * them. */
void tt_abandon_deeper(struct tt_thread *t, const struct tt_place *place);
/* Removes the marked frames right below `top`, and sets the top of the thread's frames accordingly.
 */
void tt_abandoned_pop(struct tt_thread *t, struct tt_frame *top);

/* Returns whether the innermost call in progress is of region `id` and began higher up the stack
 * than at `stack`. This is the usual kind of recursion. */
static inline bool tt_is_recursion(const struct tt_thread *t, uint32_t id, uintptr_t stack)
{
	const struct tt_frame *f = t->top - 1;

	return f->id == id && f->stack > stack;
}

#endif
