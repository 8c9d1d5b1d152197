/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * raw - what the kernel gave for the events of a row, before anything was made of it: the sums over
 * the tasks behind it, which are those that its numbers are sums of: of a group the members that
 * the filters let pass, of a collapsed node all below it that they let pass, and itself. They are
 * of the present sample: nothing is kept of a task that has ended before.
 */
#ifndef VIEW_RAW_H
#define VIEW_RAW_H

#include "view/frame.h"

struct raw {
	struct count sum;
	int n;        /* how many tasks have counted it; 0: raw_why_none() */
	bool present; /* the row is of the present sample */
};

/* Of the events [first, first + n) of the row's set. */
void raw_read(const struct frame *frame, const struct frame_row *row, int first, int n,
	      struct raw *out);
/* Why no task behind the row has counted an event that this machine has. */
const char *raw_why_none(const struct frame_row *row, const struct raw *raw);

#endif
