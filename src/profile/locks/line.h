/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * line - a line of a report (report.h): a lock and a caller that acquired it, over all threads; or
 * a group of such lines (group.h).
 */
#ifndef PROFILE_LOCKS_LINE_H
#define PROFILE_LOCKS_LINE_H

#include <stdbool.h>

#include "inject/preload/table.h"
#include "profile/locks/wait_rules.h"

/* The group that a line stands for. */
struct locks_group {
	const char *name; /* borrowed; NULL: the line is no group */
	const char *kind; /* NULL: several kinds */
	uint64_t n_locks, owner_changes;
	uint32_t n_processes; /* the most processes that have used one of the locks; 0: one */
	bool knows_owner;     /* owner_changes is known */
	bool several_callers;
};

struct locks_line {
	const struct locks_instance *instance; /* borrowed from the copy; of a group: its first */
	struct locks_row sum;
	struct locks_quantity *counts; /* counts of the sum; NULL: no events */
	uint64_t holder, holder_ticks; /* the place that held the lock during most of the waits, 0:
					  unknown; and the time of these waits */
	/* The waits are idle, and how certain that is (uses.h). */
	bool idle;
	enum wait_certainty certainty;
	struct locks_group group;
};

#endif
