/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * schedule - groups that wait for the PMU in vain, though they were planned by a trial.
 *
 * Somebody may take counters later. A group that waited for a whole refresh, and ran for no task at
 * all, is doubted: the trial (pmu/perf/trial.h) is made once more, which tells at once where a
 * holder keeps everybody off. Where it still fits there, it is somebody who holds counters for the
 * watched tasks only: after a second refresh, and time enough for everybody's turn, that is
 * believed.
 */
#ifndef COLLECT_TASK_SCHEDULE_H
#define COLLECT_TASK_SCHEDULE_H

#include "base/count.h"
#include "pmu/perf/trial.h"

struct schedule {
	uint64_t ran; /* bit i: the group that member i leads has run in this refresh */
	/* [i] how long the group that member i leads waited: in this refresh, for the task for
	 * which that was longest; and in the refreshes before in which it never ran */
	uint64_t wait_ns[EVENT_SET_MAX], waited_ns[EVENT_SET_MAX];
};

/* Begins anew with another plan: nothing was seen of its groups yet. */
void schedule_begin(struct schedule *s);
/* Notes what a task's groups did between two readings; old NULL: since its counters were opened.
 * unread: bit i: member i is missing in one of them. */
void schedule_note(struct schedule *s, const struct event_set *set, const struct count *old,
		   const struct count *now, uint64_t unread);
/* To be called at the end of a refresh. Returns whether something was learned, so that another plan
 * is needed. */
bool schedule_end(struct schedule *s, const struct event_set *set, struct trial *trial);

#endif
