/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * group_file - finds and reads the files of control groups: their throttled times, pressures, and
 * limits of memory. Pure, except for group_file_find_mounts(), group_file_read() and
 * group_memory_read().
 *
 * A task may be throttled by the quota of its own group or of any group above it, so the throttled
 * times of all groups up to the root are added up. The pressure of a group includes that of the
 * groups in it; the pressure of the root is that of the machine.
 */
#ifndef COLLECT_TASK_GROUP_FILE_H
#define COLLECT_TASK_GROUP_FILE_H

#include <stdbool.h>

#include "base/mem.h"
#include "base/strbuf.h"
#include "model/detail.h"

/* Containers in containers have paths of several hundred bytes. */
#define GROUP_PATH_MAX 4096

/* Mount points of the unified hierarchy and of the version 1 hierarchies of these controllers; "":
 * not mounted. */
struct group_mounts {
	char unified[GROUP_PATH_MAX], cpu[GROUP_PATH_MAX], memory[GROUP_PATH_MAX];
	char perf[GROUP_PATH_MAX], freezer[GROUP_PATH_MAX];
	bool known; /* the mount points have been read */
};

/* Parses /proc/self/mountinfo. A hierarchy that is mounted only in part is ignored. */
void group_file_parse_mounts(const char *text, struct group_mounts *out);
/* Reads /proc/self/mountinfo, unless `mounts` is known. text: scratch. */
void group_file_find_mounts(struct group_mounts *mounts, int proc_fd, struct strbuf *text);
/* Finds the path of a task's group in the text of /proc/PID/cgroup: in the hierarchy of this
 * controller; NULL: in the unified hierarchy. Returns false if there is none, if it is outside of
 * this cgroup namespace, or if it has GROUP_PATH_MAX bytes or more. */
bool group_file_parse_path(const char *text, const char *controller, char path[GROUP_PATH_MAX]);
/* Parses cpu.stat: the time, in ns, that a quota has throttled the group so far, over all CPUs.
 * Returns false if the file has no such field. */
bool group_file_parse_throttled(const char *text, uint64_t *ns);
/* Parses cpu.pressure and similar files: the time, in ns, that at least one task has waited so far.
 * Returns false if the format is another. */
bool group_file_parse_pressure(const char *text, uint64_t *ns);

/* Parses cgroup.events, or freezer.state of version 1. Returns whether the group is frozen, by
 * itself or by a group above it. */
bool group_file_parse_frozen(const char *text);

/* Sets the throttled time, the pressures and the frozen state of the control groups of a task, as
 * far as they can be read. text: holds the contents of /proc/PID/cgroup; then used as scratch. */
void group_file_read(struct group_mounts *mounts, int proc_fd, struct strbuf *text,
		     struct detail_wait *out);

/* ---- memory ----
 *
 * The limits that control groups set to the memory of a task, and the memory used.
 *
 * A task may use no more than the least limit of its group and of all groups above it, in both
 * versions of the hierarchy. The memory used is that of the nearest group that counts memory: in
 * the unified hierarchy, the memory controller may be off in the groups below it. If version 1 does
 * not pass limits down (memory.use_hierarchy is 0), groups above do not limit the task.
 *
 * In a cgroup namespace, groups above its root cannot be seen; their limits may be lower.
 */

/* Parses memory.max or memory.limit_in_bytes; DETAIL_NO_LIMIT: no limit. Returns false if the text
 * is neither a number nor "max". */
bool group_memory_parse(const char *text, uint64_t *bytes);
/* Reads limits and use. text: the contents of /proc/PID/cgroup; overwritten. Texts of `out` are
 * allocated in the arena. */
void group_memory_read(struct group_mounts *mounts, int proc_fd, struct strbuf *text,
		       struct arena *arena, struct detail_memory *out);

#endif
