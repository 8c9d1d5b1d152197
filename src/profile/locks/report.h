/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * report - sums up the times and counts of a process's locks from a copy of its table: the rows
 * over all threads, and the numbers of the whole process.
 *
 * A line is for a lock and a caller that acquired it. The last line, with instance NULL, is for
 * locks and callers for which the table had no room; it is left out if there are none.
 *
 * The holder of a line is the caller whose holds of the lock made the line wait longest, as far as
 * callers are known.
 *
 * Waits in progress at the end are in n_under_way and under_way of their row, and are added to
 * their record of waits.
 *
 * locks_report_make() sorts the rows of the copy and adds the waits in progress to rows and waits,
 * so it may be called only once per reading.
 *
 * With sampling (header.sample), times of all acquisitions are estimates (estimate.h), and
 * LOCKS_FREE includes the time for which threads held a lock, which is unknown then.
 *
 * All times are in ticks of the process; a tick is ns_per_tick / 2^32 ns.
 */
#ifndef PROFILE_LOCKS_REPORT_H
#define PROFILE_LOCKS_REPORT_H

#include "profile/locks/copy.h"
#include "profile/locks/line.h"
#include "profile/locks/states.h"

struct locks_report {
	/* Locks first, then idle waits; each sorted by locks_estimate_trying(), the longest first.
	 */
	struct locks_line *line;
	size_t n;
	struct locks_row all; /* the sum over all locks of the kinds of locks_is_held() */
	struct locks_quantity *all_counts; /* NULL: no events */
	/* The number of locks that were ever acquired ("static" in reports). at_least: it is a
	 * lower bound, as several locks share a record, or had no room in the table. */
	uint64_t instances;
	bool at_least;
	/* The time of all threads in each state, from their start to their end. */
	uint64_t ticks[LOCKS_STATES];
	struct states states; /* the sum over all threads */
	struct states_shares shares;
	uint32_t n_cpus; /* the CPUs of the machine, set by the caller; 0: unknown */
	uint64_t own;    /* the estimated cost of measuring, part of the times of all states */
	uint64_t cpu_ns; /* the CPU time of the process, set by the caller; 0: unknown */
	/* Counts of events in each state, and those of measuring, over the threads that could count
	 * the event; for living threads, up to their last use of a lock. */
	uint64_t count[LOCKS_EVENTS][LOCKS_STATES], own_count[LOCKS_EVENTS];
	uint32_t lacking[LOCKS_EVENTS];  /* threads that could not count the event */
	uint64_t end;                    /* the clock at the end of the process */
	uint64_t n_under_way, under_way; /* waits in progress at the end, and their time */
	uint64_t idle;    /* time of idle waits: locks_estimate_trying() of all lines with `idle` */
	uint32_t n_alive; /* threads that had not exited at the end of the process */
	struct locks_quantity *counts; /* the memory of all counts; owned */
	struct locks_wait *wait; /* [header.n_waits of the copy]: its waits, sorted by lock and
				    caller; owned */
	uint64_t n_unmeasured, n_too_deep, n_unmatched, n_futex, n_futex_left_out;
};

/* Returns the time of the clock that processes use for their tables. */
uint64_t locks_report_clock(void);
/* Measures the speed of this clock, in ns per 2^32 ticks. Takes some ms. */
uint64_t locks_report_speed(void);
/* Makes the report. Living threads are counted up to the end that the process has noted; or up to
 * `end` if it has not noted any, as it still runs, was killed, or has executed another program. */
void locks_report_make(struct locks_report *r, const struct locks_copy *c, uint64_t end);
/* Like locks_report_make(), with these rules (wait_rules.h) in place of only those of
 * config/waits.list. */
void locks_report_make_by(struct locks_report *r, const struct locks_copy *c, uint64_t end,
			  const struct wait_rules *rules);
void locks_report_done(struct locks_report *r);
/* Returns the number of acquisitions that have not been released. */
uint64_t locks_report_held(const struct locks_report *r);
/* Compares two struct locks_row by lock and caller, for array_sort(). */
int locks_report_compare_rows(const void *a, const void *b);
/* Sorts lines in the order of a report. */
void locks_report_sort(struct locks_line *line, size_t n);
/* Returns the count of an event over all threads. */
uint64_t locks_report_count(const struct locks_report *r, uint32_t event);
/* Returns the time of all threads. */
uint64_t locks_report_time(const struct locks_report *r);

/* Returns the sum of the times of all states. */
uint64_t locks_sum_states(const uint64_t ticks[LOCKS_STATES]);

#endif
