/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * cgroup - opens the control group to which CPU counters are limited.
 *
 * The group is looked up in the hierarchy that counts events: the perf_event hierarchy of version 1
 * if it is mounted, else the unified one.
 */
#ifndef COLLECT_CPU_CGROUP_H
#define COLLECT_CPU_CGROUP_H

#include "base/err.h"
#include "collect/task/group_file.h"

/* Opens the folder of a group; the caller closes it. path: as in /proc/PID/cgroup, or with the
 * mount point before it. Returns the descriptor, or -errno with a sentence. */
int cgroup_open(const struct group_mounts *mounts, const char *path, struct err *err);
/* Opens the folder of a group as cgroup_open(), with the mount points of the running machine. */
int cgroup_open_here(const char *path, struct err *err);

#endif
