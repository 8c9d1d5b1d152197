/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * finals - what each task has counted that inherited a group and has ended: the kernel writes its
 * last counts into a ring (PERF_RECORD_READ).
 *
 * Not each kernel does: those from 5.13 to some of 6.18 write nothing (pmu/check/probe.h finds out
 * by trying). Each group of the kernel has a ring of its own, in which its last member writes:
 * rings that several events share are damaged where tasks end at once on two CPUs.
 *
 * The task on which the group was opened inherited nothing, and tells nothing.
 */
#ifndef PMU_PERF_FINALS_H
#define PMU_PERF_FINALS_H

#include "pmu/perf/group.h"
#include "pmu/perf/ring.h"

struct finals;

/* The end of one task. Where the plan has several groups, each of them tells it. */
struct final {
	pid_t process, task;
	bool first;       /* of the first group: so each task is counted once */
	uint64_t members; /* bit i: count[i] is told */
	struct count count[EVENT_SET_MAX];
};

/* Opens the rings of a group that was opened on tid with set->finals. Returns 0 or -errno. */
int finals_open(struct finals **out, struct perf_sys *sys, const struct group *g, pid_t tid);
/* Takes the next end. False: there is none so far. */
bool finals_next(struct finals *f, struct final *out);
/* Opens other rings in place of these, which stand still (ring_watch); what waits there is lost.
 * Returns 0, or -errno with some of the old ones left. */
int finals_reopen(struct finals *f);
/* Ends that nobody can tell any more, since the kernel had no room for them; and damages. */
struct ring_losses finals_losses(const struct finals *f);
/* The descriptors that are readable once a ring is half full; -1: there is no i-th. */
int finals_fd(const struct finals *f, size_t i);
/* NULL is fine. */
void finals_close(struct finals *f);

#endif
