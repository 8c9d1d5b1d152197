/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * counter_sets - makes the sets of counters of the option -c, for commands that count several sets
 * alternately.
 *
 * Each list has the syntax of -e, with two additions from cpustat and cputrack of Solaris. Events
 * may be preceded by "pic0=", "pic1=" and so on. In place of an event, "sys" makes the whole list
 * count in the kernel, too, and "nouser" keeps it from counting in user mode. All counters of a set
 * should be in one group, so that they are counted at the same time.
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

/* Makes the sets. lists: one list on each line. first: an event that becomes the first of each set;
 * NULL: none. kernel: count in the kernel, too, even without "sys". */
int counter_sets_make(struct counter_sets *sets, const char *lists, const char *first, bool kernel,
		      const struct machine *machine, struct perf_sys *sys, struct err *err);
void counter_sets_done(struct counter_sets *sets);

#endif
