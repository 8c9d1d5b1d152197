/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * counter_sets - the sets of counters of the option -c, for commands that count several sets
 * alternately.
 *
 * Each list has the syntax of -e, and that of cpustat and cputrack: events may be preceded by
 * "pic0=" and so on, and the words "sys" and "nouser" in place of events make all be counted in the
 * kernel, too, and only there. All counters of a set should be in one group, so that they are
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

/* Makes the sets. lists: one on each line. first: an event that precedes those of each set; NULL:
 * none. kernel: count in the kernel, too, whatever the lists say. */
int counter_sets_make(struct counter_sets *sets, const char *lists, const char *first, bool kernel,
		      const struct machine *machine, struct perf_sys *sys, struct err *err);
void counter_sets_done(struct counter_sets *sets);

#endif
