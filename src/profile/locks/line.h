/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * line - a line of a report (report.h): a lock and a caller that acquired it, over all threads.
 */
#ifndef PROFILE_LOCKS_LINE_H
#define PROFILE_LOCKS_LINE_H

#include <stdbool.h>

#include "inject/preload/table.h"

struct locks_line {
	const struct locks_instance *instance; /* borrowed from the copy */
	struct locks_row sum;
	struct locks_quantity *counts; /* counts of the sum; NULL: no events */
	uint64_t holder, holder_ticks; /* the holder, 0: unknown; and the time waited for it */
	bool idle;                     /* the waits are idle (idle.h) */
};

#endif
