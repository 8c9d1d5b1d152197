/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * trial - finds out which events can be on the PMU together at present.
 *
 * That the kernel opens a group says only that it fits onto an otherwise unused PMU:
 * perf_event_open(2), BUGS. The NMI watchdog and pinned events of other programs hold counters;
 * with hyper-threading, some events leave only half of them on Sandy Bridge to Haswell. So the
 * group is opened pinned on tiptop itself and enabled, on a CPU of its kind of cores: either it is
 * on the PMU at once, or it is in error state and read(2) returns 0 bytes.
 *
 * Memory. A group that did not fit is remembered as its events on this kind of cores. It rules out
 * every group that contains all of them, in any set, as long as the struct lives. After a number of
 * refreshes it is forgotten, since the other holder may have ended; each time the group fails
 * again, that number doubles.
 *
 * Experience. A group that fitted in the trial may still never get onto the PMU: events of another
 * program may be pinned on the very tasks that are watched. After such a wait was seen, at most
 * half as many of its events are taken to fit together.
 */
#ifndef PMU_PERF_TRIAL_H
#define PMU_PERF_TRIAL_H

#include "pmu/perf/event.h"

struct verdict;

struct trial {
	struct perf_sys *sys;
	struct verdict *verdict;
	int n;
	/* The number of refreshes so far, by which the memory ages; the owner counts it up. */
	uint32_t moment;
	/* Why a kind of cores could not be visited, so that its groups were only opened, not
	 * run. */
	struct err untried;
};

/* The answer to one or more questions. All zeros before the first one. */
struct trial_answer {
	/* Something could not be tried: descriptors or memory are short, or another program holds
	 * the PMU exclusively. */
	bool unsure;
	/* The moment from which it is worth asking again, since a holder may have ended; 0:
	 * never. */
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
 * whatever is remembered. surely: it has waited before, so even a trial in which it fits is not
 * believed. Returns whether the group is now known not to fit. */
bool trial_retry(struct trial *t, const struct event_set *set, const int *event, int n,
		 bool surely);

/* Ends a series of questions: restores the affinity of tiptop. */
void trial_end(struct trial *t);

#endif
