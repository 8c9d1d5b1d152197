/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * group - opens, reads and closes the counters of one task or one CPU: one kernel group for each
 * group of the set's plan (plan.h).
 *
 * No group is pinned: the kernel multiplexes them with each other and with those of other programs.
 *
 * With set->inherit, the group also counts all threads that the task starts after the opening,
 * directly or not, and one read returns the sum. With set->children, it counts all descendant
 * processes, too.
 *
 * Cost: one descriptor per event; one system call to read each kernel group.
 */
#ifndef PMU_PERF_GROUP_H
#define PMU_PERF_GROUP_H

#include <sys/types.h>

#include "base/err.h"
#include "base/value.h"
#include "pmu/perf/event.h"
#include "pmu/perf/sys.h"

struct group;

/*
 * Opens, on the task, those counters of the set that can be opened. on_exec: they start to count at
 * the task's next execve(2), from its first instruction.
 *
 * Returns 0, or -errno with nothing left open: the error of the first event if none could be
 * opened. An event with -ESRCH, or with an error for which perf_error_is_transient() is true, makes
 * the whole call fail, since half a group would give wrong ratios.
 */
int group_open(struct group **out, struct perf_sys *sys, const struct event_set *set, pid_t tid,
	       bool on_exec);

/* Opens the counters on a CPU. They count all tasks, and the kernel while no task runs, so they are
 * always enabled. Counters of a CPU that goes offline stop without an error. The set must not
 * inherit. cgroup_fd: the open folder of a control group, to count only while one of its tasks is
 * on the CPU; -1: count always. */
int group_open_cpu(struct group **out, struct perf_sys *sys, const struct event_set *set, int cpu,
		   int cgroup_fd);

/*
 * Reads count[0 .. set->plan.n). Returns a mask: bit i is set if member i could not be read; its
 * count is then 0 and means nothing. *error: 0, or why an open counter could not be read:
 *   -ECHILD   while a thread of the task exits, Linux 6.6 and later cannot add up the inherited
 *             counts. This lasts microseconds, so the group is read again a few times before
 *             -ECHILD is returned.
 *   -ENODATA  the kernel has put the group into error state.
 *   -EIO      the data that the kernel returned lack the values of some members.
 *   others    as from read(2).
 */
uint64_t group_read(const struct group *g, struct perf_sys *sys, struct count *count, int *error);

/* Decodes the data that the kernel writes for one kernel group, in a read(2) or when a task ends
 * (ring.h), into count[] of the members of this group. Returns a mask: bit i is set if count[i]
 * was set. */
uint64_t group_decode(const struct group *g, const void *data, size_t size, struct count *count);

/* Returns the descriptor of the last opened member of the next kernel group; -1: there are no more.
 * *at: 0 at first, then moved to the following group. */
int group_last_fd(const struct group *g, int *at);

/* Sets err to why the counters of a task could not be read. error: from group_read(); it is
 * returned. */
int group_explain_read(int error, pid_t tid, struct err *err);

/* Closes all counters and frees the group. g may be NULL. */
void group_close(struct group *g, struct perf_sys *sys);

/* Returns the number of descriptors that the group holds. */
int group_n_fds(const struct group *g);

#endif
