/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * report - sums up the times and counts of a process's locks from a copy of its table: the rows
 * over all threads, the numbers of the whole process, and those of each thread (threads). Its parts
 * can be used alone: estimates under sampling, the states of threads, and what objects are used as.
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
 * With sampling (header.sample), times of all acquisitions are estimates (locks_estimate()), and
 * LOCKS_FREE includes the time for which threads held a lock, which is unknown then.
 *
 * Times are in ticks of the process, unless a name or a comment says ns; a tick is
 * header.ns_per_tick / 2^32 ns.
 */
#ifndef PROFILE_LOCKS_REPORT_H
#define PROFILE_LOCKS_REPORT_H

#include <stdbool.h>
#include <stddef.h>

#include "inject/preload/table.h"
#include "profile/locks/copy.h"
#include "profile/locks/wait_rules.h"

/* ---- lines ----
 *
 * A line of a report: a lock and a caller that acquired it, over all threads; or
 * a group of such lines (group.h).
 */

/* The group that a line stands for. */
struct locks_group {
	const char *name; /* borrowed; NULL: the line is no group */
	const char *kind; /* NULL: several kinds */
	uint64_t n_locks, owner_changes;
	uint32_t n_processes; /* the most processes that have used one of the locks; 0: one */
	bool knows_owner;     /* owner_changes is known */
	bool several_callers;
};

struct locks_line {
	const struct locks_instance *instance; /* borrowed from the copy; of a group: its first */
	struct locks_row sum;
	struct locks_quantity *counts; /* counts of the sum; NULL: no events */
	uint64_t holder, holder_ticks; /* the caller whose holds made the line wait longest, 0:
					  unknown; and the time of these waits */
	/* The waits are idle, and how certain that is (uses_find()). */
	bool idle;
	enum wait_certainty certainty;
	struct locks_group group;
};

/* ---- estimates ----
 *
 * Estimates the time of all calls of a row under sampling, when only one in N calls is
 * timed (inject/preload/table.h).
 *
 * Contended acquisitions are always timed; their times add up to `waited`. The time of the other
 * acquisitions is estimated from the mean of those among them that were drawn for timing, each with
 * the same probability:
 *
 *     sum = waited + (timed - waited) / (n_timed - contended) * (n - contended)
 *
 * where n_timed of the n calls were timed, and `timed` is the sum of their times.
 * For holds and releases, `contended` and `waited` are 0. If all calls were timed, the sum is
 * exact.
 */

/* Returns all - part; 0 if part is larger, which is possible in a damaged table. */
static inline uint64_t locks_minus(uint64_t all, uint64_t part)
{
	return all > part ? all - part : 0;
}

struct locks_estimate {
	uint64_t n;    /* calls */
	bool known;    /* false: no calls, or none of the uncontended ones was timed */
	bool exact;    /* all calls were timed */
	uint64_t sum;  /* ticks */
	double stddev; /* ticks; NaN: unknown */
	uint64_t max;  /* ticks; over the timed calls */
};

struct locks_estimate locks_estimate(const struct locks_row *row, enum locks_phase phase);

/* Returns the time that threads spent in attempts to acquire the lock of a row: successful ones
 * (with sampling, estimated), failed ones (with sampling, the timed ones), and those in progress.
 */
uint64_t locks_estimate_trying(const struct locks_row *row);

/* ---- states of threads ----
 *
 * Divides the time of threads by what they did: they ran, were ready to run without a CPU,
 * were blocked for a lock, for work or in another call of the C library, or did not run for a
 * reason that is not measured.
 *
 * The kernel counts the time on a CPU and the time ready to run; the preloaded object measures the
 * waits, and the time on a CPU within them (inject/preload/thread.h). The time ready to run is
 * known as a total only, but part of it is within waits, as a thread whose wait ends is ready to
 * run until it gets a CPU. This part is estimated: the total times the share of waits among the
 * times that the thread got a CPU, within the bounds that the other times set.
 *
 * The lines of the report say whether a wait is for a lock or for work. For condition variables,
 * semaphores, barriers and futexes, only one time of a thread is known for each kind: it is divided
 * as the times of all lines of this kind are.
 */

enum states_id {
	STATES_RUNNING,
	STATES_RUNNABLE,
	STATES_LOCK,   /* blocked for a lock */
	STATES_WORK,   /* blocked for something to do */
	STATES_INPUT,  /* blocked for other programs or people (config/blocking.list) */
	STATES_TIME,   /* asleep until a time */
	STATES_TASK,   /* blocked for a thread or a process */
	STATES_DEVICE, /* blocked for a device */
	STATES_OTHER,
	STATES_N
};

/* Times in ns, whose sum is the life of the threads. */
struct states {
	/* n_known: the threads with totals; the time of the others is STATES_OTHER. */
	uint64_t n_threads, n_known;
	uint64_t ns[STATES_N];
	uint64_t lock_run; /* the part of STATES_RUNNING that is within waits for locks */
};

/* By kind of lock: the part of the time of its waits that is for locks rather than for work, from
 * 0 to 1. */
struct states_shares {
	double lock[LOCKS_N_KINDS];
};

/* Sets the shares from the n lines of a report. */
void states_find_shares(struct states_shares *shares, const struct locks_line *line, size_t n);
/* Divides the time of n_threads threads. ticks: the sum of their times, in units of scale / 2^32
 * ns. s: the sums over these threads. */
void states_make(struct states *to, const struct locks_sched *s, uint64_t n_threads, uint64_t ticks,
		 uint64_t scale, const struct states_shares *shares);
void states_add(struct states *to, const struct states *from);
/* Returns the times of all threads but those in `part`. */
struct states states_minus(const struct states *all, const struct states *part);
/* Returns the sum of all states. */
uint64_t states_sum(const struct states *s);

/* ---- report ---- */

struct locks_report {
	/* Locks first, then idle waits; each sorted by locks_estimate_trying(), the longest first.
	 */
	struct locks_line *line;
	size_t n;
	/* The sum over all locks of the kinds of locks_is_held(), and what had no room in the
	 * table. */
	struct locks_row all;
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
/* Returns the number of acquisitions that have not been released, neither by their thread nor, as
 * far as n_unmatched has such releases, by another one. */
uint64_t locks_report_held(const struct locks_report *r);
/* Compares two struct locks_row by lock and caller, for array_sort(). */
int locks_report_compare_rows(const void *a, const void *b);
/* Sorts lines in the order of a report. */
void locks_report_sort(struct locks_line *line, size_t n);
/* Returns the count of an event over all threads. */
uint64_t locks_report_count(const struct locks_report *r, uint32_t event);
/* Returns the time of all threads. */
uint64_t locks_report_time(const struct locks_report *r);

/* ---- uses ----
 *
 * Decides for each object of a kind that is not held (locks_is_held()) whether it is used as a
 * lock, which another thread has, or as a place to wait for work. Waits for work are idle.
 *
 * It is decided from which threads wait and wake, and how often, by the rules of config/waits.list.
 * For a futex with few wakes, the other futexes that the same callers wake are added, as they are
 * probably used in the same way.
 */

/* Sets futex.handed and futex.use[LOCKS_BALANCED] in the rows of living threads, for objects by
 * which threads were woken; rows of exited threads have both already. row: sorted by instance. */
void uses_add_handed(struct locks_row *row, size_t n);
/* Sets `idle` and `certainty` of the lines, which are sorted by instance. */
void uses_find(struct locks_line *line, size_t n, const struct wait_rules *rules);

/* ---- threads ----
 *
 * Computes the use of locks by each thread of a process, from a copy of its table and the
 * report made from that copy: table 2 of the LiMiT paper, by thread.
 *
 * Threads that waited longest come first. The last entry is for all threads for which the table had
 * no room when they exited: it has the numbers of the process less the numbers of the other
 * entries, and is left out if it is empty. So the sums over all entries are exactly the numbers of
 * the report.
 */

struct thread_locks {
	/* `number` is from 1 on, in the order in which threads were added to the table. */
	uint32_t tid, number;
	const char *name;    /* borrowed from the copy; NULL: several threads */
	uint32_t n;          /* the number of threads: 1, except in the last entry */
	bool alive;          /* it had not exited at the end of the process */
	uint64_t begin, end; /* unknown for several threads */
	uint64_t time, ticks[LOCKS_STATES];
	struct states states;
	uint64_t acquisitions; /* of locks of the kinds of locks_is_held() */
	/* The number of these locks; at_least: a lower bound, as several locks share a record, or
	 * had no room. Unknown for several threads. */
	uint64_t instances;
	bool at_least;
};

struct locks_threads {
	struct thread_locks *v;
	size_t n;
};

/* Makes the list. Sorts the rows of the copy. */
void locks_threads_make(struct locks_threads *t, const struct locks_copy *c,
			const struct locks_report *r);
void locks_threads_done(struct locks_threads *t);
/* Returns the acquisitions per 10,000 ticks of the thread's time. */
double locks_threads_density(const struct thread_locks *one);

#endif
