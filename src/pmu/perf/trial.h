/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * trial - which events are on the PMU together, as things are now.
 *
 * That the kernel opens a group says only that it fits onto a PMU that nobody else uses:
 * perf_event_open(2), BUGS. The NMI watchdog and other people's pinned events hold counters; with
 * hyper-threading, some events leave half of them on Sandy Bridge to Haswell. So the group is
 * opened pinned on tiptop itself and enabled, on a CPU of its kind of cores: it is on the PMU at
 * once, or in error state, and read(2) gives 0 bytes.
 *
 * Memory. What did not fit is remembered as that: these events, on this kind of cores. It holds for
 * whatever has all of them, in any set, as long as the struct lives. After a while it is forgotten,
 * since the other holder may go; each time that it shows again, the while is twice as long.
 *
 * Experience. A group that fitted in the trial may still wait for ever: somebody's events are
 * pinned on the very tasks that are watched. Where that was seen, its events are believed to fit in
 * groups of half its size only.
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
	/* Why a kind of cores could not be visited, so that only opening was tried there. */
	struct err untried;
};

/* The answer to one or more questions. It is all zeros before the first one. */
struct trial_answer {
	/* Something could not be tried: descriptors or memory are short, or somebody holds the PMU
	 * for himself. */
	bool unsure;
	/* The moment at which it is worth asking again, since a holder may have gone; 0: never. */
	uint32_t again;
};

void trial_init(struct trial *t, struct perf_sys *sys);
void trial_done(struct trial *t);

/* Whether these n events of the set, all of one kind of cores, fit together; event[0] leads. What
 * cannot be known is taken to fit: seeing the group wait will tell. */
bool trial_fits(struct trial *t, const struct event_set *set, const int *event, int n,
		struct trial_answer *answer);

/* To be called when the group of these events has waited for a whole refresh: tries it once more,
 * whatever is remembered. surely: it has waited before, so that a trial in which it fits is not
 * believed. Returns whether it is now known not to fit. */
bool trial_retry(struct trial *t, const struct event_set *set, const int *event, int n,
		 bool surely);

/* Ends a series of questions: tiptop runs again wherever it might before the first one. */
void trial_end(struct trial *t);

#endif
