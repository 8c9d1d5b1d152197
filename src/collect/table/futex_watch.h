/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * futex_watch - has the kernel record the calls of futex(2) of a command and its descendants, or of
 * a process that runs already (pmu/perf/syscalls.h), and makes rows of them while these run
 * (profile/locks/futex_table.h).
 *
 *   futex_watch_open()        before the command is executed; or
 *   futex_watch_attach()      to a process that runs
 *   futex_watch_update()      some times a second, and when one of its descriptors is readable
 *   futex_watch_end()         when the command has ended
 */
#ifndef COLLECT_TABLE_FUTEX_WATCH_H
#define COLLECT_TABLE_FUTEX_WATCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "pmu/perf/sys.h"
#include "profile/locks/futex_table.h"

/* Each new task inherits the tracepoints of all CPUs, for each of which the kernel searches its
 * list of tracepoints. So a command that has created this many tasks, or a process with this many
 * threads, has only those calls recorded that it has used, and futex(2); the others are counted. */
#define FUTEX_WATCH_TASKS   64
#define FUTEX_WATCH_COUNTED "futex_wait(2), futex_waitv(2), futex_wake(2) or futex_requeue(2)"

struct futex_watch;
struct event_host;

/* Opens the tracepoints. host: where their ids are found. Returns 0, or -errno with a sentence if
 * the kernel has no such tracepoints, or this user may not use them. */
int futex_watch_open(struct futex_watch **out, struct perf_sys *sys, const struct event_host *host,
		     const struct futex_table_options *o, struct err *err);

/* The calls that are unknown of a process that ran before it was watched. */
struct futex_watch_gaps {
	/* n_seen: tasks that were in a call of futex(2), so that the beginning of the call is
	 * unknown. n_unread: tasks that may have been in such a call, as this user may not read
	 * their system call. */
	size_t n_seen, n_unread;
	/* Tasks that began while the process was being attached to: calls may be missing. */
	size_t n_missed;
	bool no_children; /* the kernel does not list child processes */
};

/* Opens the tracepoints for the threads of the process o->command; with o->all, also for its
 * descendants. New threads and processes inherit them. Files, names and calls that are under way
 * are read from /proc. Returns as futex_watch_open() does; -ESRCH: there is no such process;
 * -EINVAL: it is a thread. */
int futex_watch_attach(struct futex_watch **out, struct perf_sys *sys,
		       const struct event_host *host, const struct futex_table_options *o,
		       struct err *err);
/* Returns the gaps at futex_watch_attach(). */
const struct futex_watch_gaps *futex_watch_gaps(const struct futex_watch *w);
/* Reads the rings, and returns a time of CLOCK_MONOTONIC: the programs are complete up to it. */
uint64_t futex_watch_settle(struct futex_watch *w);
/* Reads the rings. */
void futex_watch_update(struct futex_watch *w);
/* Returns the i-th descriptor, which is readable once its ring is half full; -1: no further one. */
int futex_watch_fd(const struct futex_watch *w, size_t i);
/* Reads the rings for the last time, and ends all programs. */
void futex_watch_end(struct futex_watch *w);
/* Returns the programs; complete after futex_watch_end(). Owned by w. */
struct futex_table *futex_watch_table(const struct futex_watch *w);
/* Returns the number of calls of which a part may be lost, or which were only counted. */
uint64_t futex_watch_unpaired(const struct futex_watch *w);
/* Returns the number of calls that were only counted. */
uint64_t futex_watch_unrecorded(const struct futex_watch *w);
/* Returns how many records were lost up to now; after futex_watch_end(), in all. */
uint64_t futex_watch_lost(const struct futex_watch *w);
/* NULL is allowed. */
void futex_watch_close(struct futex_watch *w);

#endif
