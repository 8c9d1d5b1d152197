/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * instance_counters - the open counters of sockets: one in each box (pmu_instances.h) of each event
 * of a set.
 *
 * Where a box of a socket moves to another CPU, all counters of that socket are opened anew. What
 * cannot be opened for the moment is tried again at each look; once it can be, all of the socket
 * begin anew with it, as a sum needs all of its parts from one moment on.
 *
 * Cost: a descriptor for each box, and a system call to read it.
 */
#ifndef COLLECT_CPU_INSTANCE_COUNTERS_H
#define COLLECT_CPU_INSTANCE_COUNTERS_H

#include "base/count.h"
#include "base/err.h"
#include "collect/cpu/pmu_instances.h"
#include "pmu/perf/sys.h"

struct box_socket {
	long number;
	uint64_t starts; /* another number each time that its counters are opened */
	const struct box *box;
	int *fd; /* [n] below 0: it is tried again */
	size_t n;
};

struct box_counters {
	struct perf_sys *sys;
	struct event_set *set; /* borrowed */
	struct boxes boxes;
	struct box *box;           /* those that are open, or are tried */
	struct box_socket *socket; /* [n] by their numbers */
	size_t n;
	uint64_t starts;
	int failed[EVENT_SET_MAX]; /* why an event could not be opened last: -errno */
	struct err refused;        /* why something cannot be opened for the moment */
};

/* sys, machine: must outlive it. Nothing is counted until box_counters_begin(). */
void box_counters_init(struct box_counters *c, struct perf_sys *sys, const struct machine *machine);
void box_counters_done(struct box_counters *c);
/* Opens the events of the set that CPUs share, which must outlive their use. One that is refused
 * for good on one box is refused everywhere: its quality says so, and the note why, of the first.
 */
void box_counters_begin(struct box_counters *c, struct event_set *set, struct err *note);
/* Looks where the boxes are now, and tries again what could not be opened. */
void box_counters_look(struct box_counters *c);
/* Adds up in count[], which is all 0, what the boxes of each event have counted. Returns the mask
 * of the events that were read on all of their boxes, at least one. */
uint64_t box_counters_read(const struct box_counters *c, const struct box_socket *socket,
			   struct count *count);

#endif
