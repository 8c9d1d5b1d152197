/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * bound - several screens at once, each with what its counters are on this machine, so that they
 * can be asked of whatever is counted. Nothing is opened for them.
 */
#ifndef SESSION_BOUND_H
#define SESSION_BOUND_H

#include "session/setup.h"
#include "view/page.h"

struct bound_screens {
	struct page_screen *screen;
	struct screen_numbers *numbers;
	size_t n;
	bool kernel; /* the kernel is counted, too */
};

/* screen: borrowed, [n]. */
void bound_screens_make(struct bound_screens *b, struct setup *s,
			const struct screen *const *screen, size_t n);
void bound_screens_done(struct bound_screens *b);

#endif
