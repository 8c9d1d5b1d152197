/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * group - the open counters of one task, or of one CPU: a kernel's group for each one of the set's
 * plan (plan.h).
 *
 * No group is pinned: the kernel multiplexes them with each other and with those of other programs.
 *
 * With set->inherit, the group also counts all threads that the task starts after the opening,
 * directly or not, and one read gives the sum; with set->children, all processes, too.
 *
 * Cost: one descriptor per event; one system call to read each group.
 */
#ifndef PMU_PERF_GROUP_H
#define PMU_PERF_GROUP_H

#include <sys/types.h>

#include "base/count.h"
#include "base/err.h"
#include "pmu/perf/event.h"
#include "pmu/perf/sys.h"

struct group;

/*
 * Opens the counters of the set on the task, as far as they can be opened. on_exec: they start to
 * count at the task's next execve(2), from its first instruction.
 *
 * Returns 0, or -errno with nothing left open: the error of the first event where none could be
 * opened. -ESRCH, and errors of which perf_error_is_transient() is true, end it as soon as one
 * event has them, since half a group would give wrong ratios.
 */
int group_open(struct group **out, struct perf_sys *sys, const struct event_set *set, pid_t tid,
	       bool on_exec);

/* The same for whatever runs on this CPU, tasks and the kernel between them: the counters are
 * enabled all the time. Those of a CPU that has gone offline stand still, without an error. The set
 * does not inherit. cgroup_fd: the folder of a control group: only while a task of it is on the
 * CPU; -1: always. */
int group_open_cpu(struct group **out, struct perf_sys *sys, const struct event_set *set, int cpu,
		   int cgroup_fd);

/*
 * Reads count[0 .. set->plan.n). Returns a mask: bit i is set where member i could not be read; its
 * count is then 0 and means nothing. *error: 0, or why a counter that is open could not be read:
 *   -ECHILD   while a thread of the task exits, Linux 6.6 and later cannot add up what the
 *             group inherited. That passes within microseconds, so the group is read again
 *             a few times before this is said.
 *   -ENODATA  the kernel has put the group into error state.
 *   -EIO      members are missing.
 */
uint64_t group_read(const struct group *g, struct perf_sys *sys, struct count *count, int *error);

/* Takes count[] of the members from what the kernel writes for one of its groups: in a read(2), or
 * when a task ends (finals.h). Returns a mask: bit i is set where member i is told. */
uint64_t group_decode(const struct group *g, const void *data, size_t size, struct count *count);

/* The descriptor of the member that was opened last in a group of the kernel, from *at on, which
 * goes on behind it; begin with 0. -1: there are no more. */
int group_last_fd(const struct group *g, int *at);

/* Makes the sentence why the counters of a task could not be read, from the error of group_read().
 * Returns that error. */
int group_explain_read(int error, pid_t tid, struct err *err);

/* Closes all counters of the group and frees it. NULL is fine. */
void group_close(struct group *g, struct perf_sys *sys);

/* How many descriptors the group holds. */
int group_n_fds(const struct group *g);

#endif
