/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * raw - the unscaled counts of a row's events, as read from the kernel: sums over the tasks of the
 * row in the current sample.
 *
 * The tasks of a group are its members that pass the filters; those of a collapsed node are the
 * node and its descendants that pass the filters. Counts of tasks that ended before the sample are
 * not kept.
 */
#ifndef VIEW_RAW_H
#define VIEW_RAW_H

#include "view/frame.h"

struct raw {
	struct count sum;
	int n;        /* tasks that counted the event; 0: see raw_why_none() */
	bool present; /* the row is in the current sample */
};

/* Reads events first to first + n - 1 of the row's set. */
void raw_read(const struct frame *frame, const struct frame_row *row, int first, int n,
	      struct raw *out);
/* Returns why no task of the row has counted an event that this machine has. */
const char *raw_why_none(const struct frame_row *row, const struct raw *raw);

#endif
