/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * group_memory - the limits that control groups set to the memory of a task, and the memory used.
 *
 * A task may use no more than the least limit of its group and of all groups above it, in both
 * versions of the hierarchy. The memory used is that of the nearest group that counts memory: in
 * the unified hierarchy, the memory controller may be off in the groups below it. If version 1 does
 * not pass limits down (memory.use_hierarchy is 0), groups above do not limit the task.
 *
 * In a cgroup namespace, groups above its root cannot be seen; their limits may be lower.
 */
#ifndef COLLECT_TASK_GROUP_MEMORY_H
#define COLLECT_TASK_GROUP_MEMORY_H

#include "base/mem.h"
#include "collect/task/group_file.h"

/* Parses memory.max or memory.limit_in_bytes; DETAIL_NO_LIMIT: no limit. Returns false if the text
 * is neither a number nor "max". */
bool group_memory_parse(const char *text, uint64_t *bytes);
/* Reads limits and use. text: the contents of /proc/PID/cgroup; overwritten. Texts of `out` are
 * allocated in the arena. */
void group_memory_read(struct group_mounts *mounts, int proc_fd, struct strbuf *text,
		       struct arena *arena, struct detail_memory *out);

#endif
