/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * plan - decides which events of a set are opened as one group, and finds out by trial which events
 * fit on the PMU together.
 *
 * A ratio is only true if both of its counters were on the PMU at the same time, so the counters of
 * one column go into one group. The plan has few groups, since they share the PMU by multiplexing:
 * a single group if all counters fit together; else the columns are placed one by one, each into
 * the first group that has its counters or has room for them, or into a new one. So a counter may
 * be in several groups: for each column there is one that has all of its counters. If no group can
 * hold a column, or the plan has no room for all members, the counters of a column are placed
 * separately, and each is scaled on its own.
 *
 * Whether a group fits is found out by trial (struct trial). On a hybrid machine there is a group
 * for each kind of cores, with the same counters, and it has to fit on all kinds.
 *
 * Events that no core PMU counts (software, tracepoints) form a group of their own, which is never
 * multiplexed.
 */
#ifndef PMU_PERF_PLAN_H
#define PMU_PERF_PLAN_H

#include "pmu/perf/event.h"

/* ---- trial ----
 *
 * A trial finds out which events can be on the PMU together at present.
 *
 * If the kernel opens a group, the group is only known to fit onto an otherwise unused PMU:
 * perf_event_open(2), BUGS. But the NMI watchdog and pinned events of other programs may hold
 * counters, and on Sandy Bridge to Haswell with hyper-threading, some events halve the number of
 * counters. So the group is opened pinned on tiptop itself and enabled, on a CPU of its kind of
 * cores: either it is on the PMU at once, or it is in error state and read(2) returns 0 bytes.
 *
 * Memory. A group that could be opened but did not get onto the PMU is remembered in a verdict: its
 * events and their kind of cores.
 * The verdict rules out every group, of any set, that contains all of these events. After a number
 * of refreshes the verdict expires, since the program that held the counters may have ended. Each
 * time the group fails again, this number doubles.
 *
 * Experience. A group that fitted in the trial may still never get onto the PMU: events of another
 * program may be pinned on the very tasks that are watched. After such a wait, at most half of the
 * group's events are assumed to fit together.
 */

struct verdict;

struct trial {
	struct perf_sys *sys;
	struct verdict *verdict;
	int n;
	/* The number of refreshes so far, by which verdicts expire; the owner increments it. */
	uint32_t moment;
	/* Why a kind of cores could not be visited, so that its groups were only opened, not run;
	 * or why the affinity of tiptop could not be restored. */
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

/* ---- plan ---- */

/* Makes set->plan. Events that can be opened (QUALITY_EXACT) become members of groups; all others
 * become members without a group, which are never opened. */
void plan_make(struct event_set *set, struct trial *trial);

/* Makes a new plan, and adopts it if it has fewer groups, or if the old one was unsure and the new
 * one is not. anyway: adopts it whenever it differs from the old one. Returns whether a different
 * plan was adopted: groups that are open then belong to the old plan. */
bool plan_renew(struct event_set *set, struct trial *trial, bool anyway);

#endif
