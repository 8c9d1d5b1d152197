/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * report - what the locks of a process have cost, from a copy of its table: rows of all threads
 * added up, and the numbers of the program.
 *
 * A line is a lock and a caller that acquired it. The last line is of those that had no room in the
 * table: its instance is NULL. It is left out where nothing went there.
 *
 * A line that waited for its lock has a holder: for those who had acquired the lock there it waited
 * longest, as far as they are known.
 *
 * A wait that was under way at the end is in its row, apart from those that have ended: in
 * n_under_way and under_way, and in what it waited for.
 *
 * The rows of the copy, and who waited, are put into another order and get these waits: once for
 * each reading.
 *
 * Where not all acquisitions were timed (header.sample), what all of them took is an estimate
 * (estimate.h), and LOCKS_FREE has all that is neither waiting nor tiptop's own: whether a thread
 * holds a lock then is not known.
 *
 * All times are in ticks of the process: ns_per_tick / 2^32 ns each.
 */
#ifndef PROFILE_LOCKS_REPORT_H
#define PROFILE_LOCKS_REPORT_H

#include "profile/locks/copy.h"

struct locks_line {
	const struct locks_instance *instance; /* in the copy */
	struct locks_row sum;
	struct locks_quantity *counts; /* of the sum; NULL: there are no events */
	uint64_t holder, holder_ticks; /* 0: none is known; and how long it waited for them */
};

struct locks_report {
	struct locks_line *line; /* what was waited for longest comes first */
	size_t n;
	struct locks_row all; /* the sum over all that are held once they are acquired */
	struct locks_quantity *all_counts; /* NULL: there are no events */
	/* Static locks: those of them that were ever acquired; or at least so many, where several
	 * are one, or had no room. */
	uint64_t instances;
	bool at_least;
	/* Of all threads, from their begin to their end: the sum is their time. */
	uint64_t ticks[LOCKS_STATES];
	uint64_t own;    /* what measuring took, in all states but LOCKS_OWN: an estimate */
	uint64_t cpu_ns; /* the CPU time of the process, set by who knows it; 0: not known */
	/* As ticks and own, of the threads of which the event is known; of those that have not
	 * ended, up to their last lock. */
	uint64_t count[LOCKS_EVENTS][LOCKS_STATES], own_count[LOCKS_EVENTS];
	uint32_t lacking[LOCKS_EVENTS];  /* the others */
	uint64_t end;                    /* the clock when the process ended */
	uint64_t n_under_way, under_way; /* waits that had not ended then, and their time */
	uint32_t n_alive;                /* threads that had not ended when the process did */
	struct locks_quantity *counts;   /* where all of them stand */
	uint64_t n_unmeasured, n_too_deep, n_unmatched, n_futex;
};

/* The clock, as processes read it for their tables. */
uint64_t locks_report_clock(void);
/* end: the clock where the process did not note its end, as it was killed; threads that lived then
 * ended then. */
void locks_report_make(struct locks_report *r, const struct locks_copy *c, uint64_t end);
void locks_report_done(struct locks_report *r);
/* Acquisitions that have not been released. */
uint64_t locks_report_held(const struct locks_report *r);
/* The time in which threads tried to acquire the lock of a row: those that it took, those that
 * failed and those that are under way. Where not all were timed, the first ones are estimated. */
uint64_t locks_report_trying(const struct locks_row *row);
/* What all threads have counted of an event. */
uint64_t locks_report_count(const struct locks_report *r, uint32_t event);
/* The time of all threads. */
uint64_t locks_report_time(const struct locks_report *r);

#endif
