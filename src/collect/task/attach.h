/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * attach - which task gets counters, within the budget of file descriptors.
 *
 * It owns the event set of the screen, learns at attach_configure() which of its events this
 * machine and user can have at all (by opening each on tiptop itself), and counts the descriptors
 * that groups hold.
 *
 * The events on tiptop itself stay open: opening or closing the last event of a kind on the machine
 * costs the kernel eight times more (static keys, RCU) than any other.
 */
#ifndef COLLECT_TASK_ATTACH_H
#define COLLECT_TASK_ATTACH_H

#include "base/count.h"
#include "base/err.h"
#include "model/sample.h"
#include "pmu/perf/event.h"
#include "pmu/perf/group.h"
#include "pmu/perf/sys.h"
#include "pmu/perf/trial.h"

/* ---- schedule ----
 *
 * Groups that wait for the PMU in vain, though they were planned by a trial.
 *
 * Somebody may take counters later. A group that waited for a whole refresh, and ran for no task at
 * all, is doubted: the trial (pmu/perf/trial.h) is made once more, which tells at once where a
 * holder keeps everybody off. Where it still fits there, it is somebody who holds counters for the
 * watched tasks only: after a second refresh, and time enough for everybody's turn, that is
 * believed.
 */

struct schedule {
	uint64_t ran; /* bit i: the group that member i leads has run in this refresh */
	/* [i] how long the group that member i leads waited: in this refresh, for the task for
	 * which that was longest; and in the refreshes before in which it never ran */
	uint64_t wait_ns[EVENT_SET_MAX], waited_ns[EVENT_SET_MAX];
};

/* Notes what a task's groups did between two readings; old NULL: since its counters were opened.
 * unread: bit i: member i is missing in one of them. */
void schedule_note(struct schedule *s, const struct event_set *set, const struct count *old,
		   const struct count *now, uint64_t unread);

/* ---- attach ---- */

struct attach {
	struct perf_sys *sys;
	struct event_set set;
	struct sample_events *counted; /* the members of its plan, as readings have them */
	struct trial trial;            /* what fits on the PMUs; kept when the set is another */
	struct schedule schedule;
	int self_fd[EVENT_SET_MAX];
	int n_usable;      /* how many events can be had */
	bool threads;      /* groups are of single threads */
	uint64_t refused;  /* bit i: event i could not be had for the moment */
	int cgroup_fd;     /* of the group whose tasks alone are counted on CPUs; -1: all are */
	struct err why;    /* why the first of these could not be had */
	const char *fewer; /* what takes fewer descriptors (refusal.h); NULL: filters of tasks */
	long reserve;      /* descriptors that groups leave to everything else */
	/* Descriptors for groups: the limit of the process less the reserve. */
	long max_fds;
	long n_fds; /* descriptors that groups hold */
};

/* Descriptors that groups leave to everything else: as many as are open now, and some that
 * may be opened yet. */
long attach_reserve(void);
void attach_init(struct attach *a, struct perf_sys *sys);
/* Closes the events on tiptop itself; all groups must have been closed before. */
void attach_done(struct attach *a);

/* Takes the set over. threads: groups are of single threads, without the threads that these start.
 * note: why the first event that cannot be had for good cannot be had. All groups must have been
 * closed before. */
void attach_configure(struct attach *a, struct event_set *set, bool threads, struct err *note);

/* Goes on with the events that are counted, for other columns: from now on, plans are made for
 * these. Takes the set over. */
void attach_go_on(struct attach *a, struct event_set *set);

/* To be called at the end of a refresh: looks into groups that waited in vain, and now and then
 * into what may fit, or be had, by now. Returns whether there is another plan: then all groups have
 * to be closed. */
bool attach_reconsider(struct attach *a);

/* Whether there are descriptors for one more task. */
bool attach_has_fds(const struct attach *a);
/* Opens the counters of a task. *out is NULL unless COUNT_OK is returned; err says why
 * the kernel refused. */
enum count_state attach_open(struct attach *a, pid_t tid, bool on_exec, struct group **out,
			     struct err *err);
/* The same for whatever runs on a CPU. The set must have been configured for threads. */
enum count_state attach_open_cpu(struct attach *a, int cpu, struct group **out, struct err *err);
void attach_close(struct attach *a, struct group *g);

#endif
