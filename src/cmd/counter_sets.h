/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * counter_sets - the sets of counters that -c asks for, of the commands that count sets in turns.
 *
 * Each list is as -e takes it; but also as cpustat and cputrack do: "pic0=" may stand before the
 * first event, and so on, and "sys" and "nouser" in place of events say that all are counted in the
 * kernel, too, and there alone. All counters of a set are wanted in one group, so that they are
 * counted at the same time.
 */
#ifndef CMD_COUNTER_SETS_H
#define CMD_COUNTER_SETS_H

#include "pmu/event/machine.h"
#include "pmu/perf/event.h"

#define COUNTER_SETS_MAX 16

struct counter_sets {
	struct event_set set[COUNTER_SETS_MAX];
	int n;
};

/* lists: each in a line of its own. first: an event that each set has before its own; NULL: none.
 * kernel: count in the kernel, too, whatever they say. */
int counter_sets_make(struct counter_sets *sets, const char *lists, const char *first, bool kernel,
		      const struct machine *machine, struct perf_sys *sys, struct err *err);
void counter_sets_done(struct counter_sets *sets);

#endif
