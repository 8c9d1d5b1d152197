/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * find - finds, at the beginning of each wrapper, the caller and the state of the thread.
 */
#ifndef INJECT_PRELOAD_FIND_H
#define INJECT_PRELOAD_FIND_H

#include "inject/preload/measure.h"

#define FIND_PUBLIC __attribute__((visibility("default")))
#define FIND_CALLER ((uintptr_t)__builtin_return_address(0))

/* Returns the state of the thread; NULL: this call is not measured. */
static inline struct thread *find_thread(void)
{
	struct thread *t = thread_self;

	return __builtin_expect(t->ready, 1) ? t : thread_enter();
}

#endif
