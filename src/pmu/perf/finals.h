/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * finals - reads the final counts of tasks that inherited a group and have ended, which the kernel
 * writes into a ring (PERF_RECORD_READ).
 *
 * Linux from 5.13 up to some releases of 6.18 writes no such records (probe_finals() tests whether
 * it does). Each kernel group has a ring of its own, to which its last member writes: rings that
 * several events share are damaged when tasks end at the same time on two CPUs.
 *
 * The task on which the group was opened inherited nothing, and has no record.
 */
#ifndef PMU_PERF_FINALS_H
#define PMU_PERF_FINALS_H

#include "pmu/perf/group.h"
#include "pmu/perf/ring.h"

struct finals;

/* The end of one task. With several kernel groups, each of them has a record of it. */
struct final {
	pid_t process, task;
	/* The record is from the first group: counting only such records counts each task once. */
	bool first;
	uint64_t members; /* bit i: count[i] is valid */
	struct count count[EVENT_SET_MAX];
};

/* Opens the rings of a group that was opened on tid with set->finals. Returns 0 or -errno. */
int finals_open(struct finals **out, struct perf_sys *sys, const struct group *g, pid_t tid);
/* Reads the next record. False: no record is unread. */
bool finals_next(struct finals *f, struct final *out);
/* Replaces the rings, which stopped (ring_watch), by new ones; unread records are lost. Returns 0,
 * or -errno with some of the old rings left. */
int finals_reopen(struct finals *f);
/* Returns how many ends of tasks are missing, as the kernel had no room for their records, and how
 * often the ring was damaged. */
struct ring_losses finals_losses(const struct finals *f);
/* Returns the descriptor of the i-th ring, readable once a page of records (half of the smallest
 * ring) is unread; -1: there is no i-th. */
int finals_fd(const struct finals *f, size_t i);
/* Closes the rings and frees f. f may be NULL. */
void finals_close(struct finals *f);

#endif
