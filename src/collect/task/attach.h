/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * attach - opens the counters of tasks, within the budget of file descriptors.
 *
 * struct attach owns the event set of the screen, and counts the descriptors that groups hold.
 * attach_configure() opens each event on tiptop itself, to find out which events this user can
 * count on this machine.
 *
 * The events on tiptop itself stay open, as opening the first or closing the last event of a kind
 * on the machine takes the kernel eight times longer than for other events (static keys, RCU).
 */
#ifndef COLLECT_TASK_ATTACH_H
#define COLLECT_TASK_ATTACH_H

#include "base/err.h"
#include "base/value.h"
#include "model/sample.h"
#include "pmu/perf/event.h"
#include "pmu/perf/group.h"
#include "pmu/perf/plan.h"
#include "pmu/perf/sys.h"

/* ---- schedule ----
 *
 * Finds groups that do not get onto the PMU, though a trial had found that they fit.
 *
 * After the trial (pmu/perf/plan.h), another program may occupy counters. If a group waited during
 * a whole refresh and ran on no task, its trial is repeated. This trial fails at once if a pinned
 * event occupies the counters for all tasks. If it succeeds, pinned events may occupy the counters
 * on the watched tasks only. This is concluded after a second such refresh, provided that all
 * groups had time for their turns on the PMU.
 */

struct schedule {
	uint64_t ran; /* bit i: the group whose leader is member i has run in this refresh */
	/* [i]: for the group whose leader is member i. wait_ns: the longest time that a task waited
	 * for the PMU in this refresh. waited_ns: the sum of these times over the earlier refreshes
	 * since the group last ran. */
	uint64_t wait_ns[EVENT_SET_MAX], waited_ns[EVENT_SET_MAX];
};

/* Adds the waits of a task's groups between two readings; old NULL: since its counters were opened.
 * unread: bit i: member i is missing in one of the readings. */
void schedule_note(struct schedule *s, const struct event_set *set, const struct count *old,
		   const struct count *now, uint64_t unread);

/* ---- attach ---- */

struct attach {
	struct perf_sys *sys;
	struct event_set set;
	struct sample_events *counted; /* description of the members of the plan, for readings */
	struct trial trial;            /* what fits on the PMUs; survives a change of the set */
	struct schedule schedule;
	int self_fd[EVENT_SET_MAX];
	int n_usable; /* number of events that can be opened */
	bool threads; /* groups count single threads, without the threads that these start */
	/* the machine has no hardware counters: the reason for all events that need them */
	bool no_hardware;
	uint64_t refused; /* bit i: event i could not be opened for a reason that may pass */
	int cgroup_fd;    /* the control group to which CPU counters are limited; -1: no limit */
	struct err why;   /* why the first event in `refused` could not be opened */
	/* what a user can do to need fewer descriptors (refusal.h); NULL: filter tasks */
	const char *fewer;
	long reserve; /* number of descriptors that counters must not use */
	/* Limit of descriptors for groups: the limit of the process less `reserve` and the events
	 * on tiptop itself. */
	long max_fds;
	long n_fds; /* descriptors that groups hold */
	/* Descriptors that are held as long as no group needs them: of files that are kept open,
	 * and of processes that sleep (sleeping.h). */
	long n_files, n_sleeping;
};

/* Returns the number of descriptors to keep free of counters: those that are open now (if unknown,
 * 3), and some spare ones. */
long attach_reserve(void);
void attach_init(struct attach *a, struct perf_sys *sys);
/* Closes the events on tiptop itself; all groups must have been closed. */
void attach_done(struct attach *a);

/* Takes over the set and opens it on tiptop itself. threads: groups count single threads, without
 * the threads that these start. note: the first event that can never be counted here, with the
 * reason, or that counts in more modes than requested. All groups must have been closed. */
void attach_configure(struct attach *a, struct event_set *set, bool threads, struct err *note);

/* Keeps counting the same events for a screen with other columns; later plans group the events by
 * the columns of `set`. Takes over the set. */
void attach_go_on(struct attach *a, struct event_set *set);

/* Ends a refresh: repeats the trials of groups that waited in vain. From time to time, also repeats
 * the trials of groups that did not fit, and tries to open refused events. Returns whether the plan
 * has changed; the caller must then close all groups. */
bool attach_reconsider(struct attach *a);

/* Returns whether there are descriptors for one more task, beside those of n_files and n_sleeping.
 */
bool attach_has_fds(const struct attach *a);
/* Opens the counters of a task. on_exec: they start at its execve(2). *out is NULL unless COUNT_OK
 * is returned; err: why they could not be opened; unset for COUNT_NONE: no event can be. */
enum count_state attach_open(struct attach *a, pid_t tid, bool on_exec, struct group **out,
			     struct err *err);
/* Opens counters for everything that runs on a CPU. The set must have been configured for
 * threads. */
enum count_state attach_open_cpu(struct attach *a, int cpu, struct group **out, struct err *err);
void attach_close(struct attach *a, struct group *g);

#endif
