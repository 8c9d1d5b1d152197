/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * follow_sets - the sets of counters that "tiptop follow -c" asks for.
 *
 * Each list is as -e takes it. All counters of a set are wanted in one group, so that they are
 * counted at the same time.
 */
#ifndef APP_FOLLOW_SETS_H
#define APP_FOLLOW_SETS_H

#include "event/machine.h"
#include "perf/event.h"

#define FOLLOW_SETS_MAX 16

struct follow_sets {
	struct event_set set[FOLLOW_SETS_MAX];
	int n;
};

/* lists: each in a line of its own. first: an event that each set has before its own; NULL: none.
 * kernel: count in the kernel, too. */
int follow_sets_make(struct follow_sets *sets, const char *lists, const char *first, bool kernel,
		     const struct machine *machine, struct perf_sys *sys, struct err *err);
void follow_sets_done(struct follow_sets *sets);

#endif
