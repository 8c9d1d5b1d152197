/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * cgroup - the control group whose tasks are counted on CPUs, and no others.
 *
 * It is found in the hierarchy that counts events: an older one of perf_event, where there is one,
 * else the unified one.
 */
#ifndef COLLECT_CPU_CGROUP_H
#define COLLECT_CPU_CGROUP_H

#include "base/err.h"
#include "collect/task/group_file.h"

/* Opens the folder of a group, which the caller closes. path: as /proc/PID/cgroup has it, or with
 * the folder before it where the hierarchy is mounted. Returns the descriptor, or -errno with a
 * sentence. */
int cgroup_open(const struct group_mounts *mounts, const char *path, struct err *err);
/* The same on the running machine. */
int cgroup_open_here(const char *path, struct err *err);

#endif
