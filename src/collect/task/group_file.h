/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * group_file - control groups: where their files are, and what these say. Pure, but for
 * group_file_read().
 *
 * What holds a task back may be its own group or any above it, so a quota is looked for on the
 * whole way up. Pressure of a group has that of the groups in it; that of the root is that of the
 * machine.
 */
#ifndef COLLECT_TASK_GROUP_FILE_H
#define COLLECT_TASK_GROUP_FILE_H

#include <stdbool.h>

#include "base/strbuf.h"
#include "model/detail.h"

#define GROUP_PATH_MAX 256

/* Where the hierarchies are mounted: the unified one, and older ones of CPU time, memory, events
 * and freezing; "": nowhere. */
struct group_mounts {
	char unified[GROUP_PATH_MAX], cpu[GROUP_PATH_MAX], memory[GROUP_PATH_MAX];
	char perf[GROUP_PATH_MAX], freezer[GROUP_PATH_MAX];
	bool known; /* somebody has looked */
};

/* Reads /proc/self/mountinfo. A hierarchy of which only a part is mounted is passed over. */
void group_file_parse_mounts(const char *text, struct group_mounts *out);
/* The same, unless they are known. text: scratch. */
void group_file_find_mounts(struct group_mounts *mounts, int proc_fd, struct strbuf *text);
/* Finds the path of a task in a hierarchy, by /proc/PID/cgroup: that of the controller, or with
 * NULL the unified one. False: it is not there, or outside of what is seen here. */
bool group_file_parse_path(const char *text, const char *controller, char path[GROUP_PATH_MAX]);
/* cpu.stat: for how long a quota has held the group back so far, over all CPUs. False: it does not
 * say. */
bool group_file_parse_throttled(const char *text, uint64_t *ns);
/* cpu.pressure and the like: for how long some task has waited so far. */
bool group_file_parse_pressure(const char *text, uint64_t *ns);

/* cgroup.events, or freezer.state of the older hierarchy: whether the group is frozen, by itself or
 * by one above it. */
bool group_file_parse_frozen(const char *text);

/* Sets what the groups of a task tell, where it can be read. text: /proc/PID/cgroup, and scratch.
 */
void group_file_read(struct group_mounts *mounts, int proc_fd, struct strbuf *text,
		     struct detail_wait *out);

#endif
