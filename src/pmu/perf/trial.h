/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * trial - finds out which events can be on the PMU together at present.
 *
 * If the kernel opens a group, the group is only known to fit onto an otherwise unused PMU:
 * perf_event_open(2), BUGS. But the NMI watchdog and pinned events of other programs may hold
 * counters, and on Sandy Bridge to Haswell with hyper-threading, some events halve the number of
 * counters. So the group is opened pinned on tiptop itself and enabled, on a CPU of its kind of
 * cores: either it is on the PMU at once, or it is in error state and read(2) returns 0 bytes.
 *
 * Memory. A group that did not fit is remembered in a verdict: its events and their kind of cores.
 * The verdict rules out every group, of any set, that contains all of these events. After a number
 * of refreshes the verdict expires, since the program that held the counters may have ended. Each
 * time the group fails again, this number doubles.
 *
 * Experience. A group that fitted in the trial may still never get onto the PMU: events of another
 * program may be pinned on the very tasks that are watched. After such a wait, at most half of the
 * group's events are assumed to fit together.
 */
#ifndef PMU_PERF_TRIAL_H
#define PMU_PERF_TRIAL_H

#include "pmu/perf/event.h"

struct verdict;

struct trial {
	struct perf_sys *sys;
	struct verdict *verdict;
	int n;
	/* The number of refreshes so far, by which verdicts expire; the owner increments it. */
	uint32_t moment;
	/* Why a kind of cores could not be visited, so that its groups were only opened, not
	 * run. */
	struct err untried;
};

/* What one or more calls of trial_fits() report beside their results. Set it to zeros before the
 * first call. */
struct trial_answer {
	/* Something could not be tried: descriptors or memory are short, or another program holds
	 * the PMU exclusively. */
	bool unsure;
	/* The moment (struct trial) from which a group that did not fit may fit, since the program
	 * that held the counters may have ended; 0: never. */
	uint32_t again;
};

void trial_init(struct trial *t, struct perf_sys *sys);
void trial_done(struct trial *t);

/* Returns whether these n events of the set, all of one kind of cores, fit together; event[0]
 * leads. A group that cannot be tried is taken to fit: trial_retry() corrects that if it has to
 * wait. */
bool trial_fits(struct trial *t, const struct event_set *set, const int *event, int n,
		struct trial_answer *answer);

/* To be called when the group of these events has waited for a whole refresh: tries it again,
 * whatever is remembered. surely: the group has waited before, so it is taken not to fit even if
 * the trial succeeds. Returns whether the group is now known not to fit. */
bool trial_retry(struct trial *t, const struct event_set *set, const int *event, int n,
		 bool surely);

/* Ends a series of trials: restores the affinity of tiptop. */
void trial_end(struct trial *t);

#endif
