/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * schedule - groups that the kernel accepts but never puts onto the PMU.
 *
 * All known kernels may accept a group that is too large where the NMI watchdog or somebody else's pinned event holds a
 * counter: perf_event_open(2), BUGS. Such a group shows enabled time but no running time, for ever. If no task at all
 * has seen a group run, in two samples one after the other, all groups have to be planned anew with fewer members: one
 * less than that group had, since the watchdog takes one counter; half as many where that was not enough.
 */
#ifndef SOURCE_SCHEDULE_H
#define SOURCE_SCHEDULE_H

#include "base/count.h"
#include "perf/event.h"

struct schedule {
	uint64_t ran, waited; /* bit i: the group that member i leads ran, or waited, in this sample */
	uint64_t suspects;    /* those that only waited in the sample before */
};

void schedule_begin(struct schedule *s);
/* Takes the readings of one task into account; unread: bit i: member i has none. */
void schedule_note(struct schedule *s, const struct event_set *set, const struct count *count, uint64_t unread);
/* How many members a group may have from now on; 0 where all is well, or nothing can be done. */
int schedule_end(struct schedule *s, const struct event_set *set);

#endif
