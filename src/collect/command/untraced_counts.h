/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * untraced_counts - what traced processes have counted beyond their tasks (traced.h): threads
 * before their first stop, which is a context switch and some microseconds of each, and threads of
 * which no tracer is told, as the kernel makes them itself. There are some of these where more
 * threads began (descendants.h) than were followed.
 *
 * The row of a process has all of that, since its threads inherit its counters; the whole has it by
 * what all inherit from the command.
 */
#ifndef COLLECT_COMMAND_UNTRACED_COUNTS_H
#define COLLECT_COMMAND_UNTRACED_COUNTS_H

#include "collect/command/descendants.h"
#include "collect/command/traced.h"

/* Of processes that have ended; zeroed at the beginning. */
struct unfollowed {
	uint64_t threads;
};

/* A process has ended, of which so many threads were followed; beyond these it has counted this of
 * n events, which is added to the process. */
void unfollowed_add(struct unfollowed *u, struct kin_list *kin, const struct final *final,
		    uint32_t followed, int n);
/* Whether hardware events of the set lack theirs; says of how many threads. */
bool unfollowed_lacks(const struct unfollowed *u, const struct event_set *set, struct err *why);

#endif
