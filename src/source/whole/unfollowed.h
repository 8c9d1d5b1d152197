/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * unfollowed - what traced processes have counted beyond their tasks (traced.h): threads before
 * their first stop, which is a context switch and some microseconds of each, and threads of which
 * no tracer is told, as the kernel makes them itself. There are some of these where more threads
 * began (kin.h) than were followed.
 *
 * The row of a process has all of that, since its threads inherit its counters: so has the whole.
 */
#ifndef SOURCE_WHOLE_UNFOLLOWED_H
#define SOURCE_WHOLE_UNFOLLOWED_H

#include "source/whole/kin.h"
#include "source/whole/traced.h"

/* Those of processes that have ended; zeroed at the beginning. */
struct unfollowed {
	struct count count[EVENT_SET_MAX];
	uint64_t threads;
};

/* A process has ended, of which so many threads were followed; beyond these it has counted this of
 * n events, which is added to the process, too. */
void unfollowed_add(struct unfollowed *u, struct kin_list *kin, const struct final *final,
		    uint32_t followed, int n);
/* Adds what all have counted so far, also of processes that live, to the counts of n events. */
void unfollowed_read(const struct unfollowed *u, const struct traced *traced, struct count *count,
		     int n);
/* Whether hardware events of the set lack theirs; says of how many threads. */
bool unfollowed_lacks(const struct unfollowed *u, const struct event_set *set, struct err *why);

#endif
