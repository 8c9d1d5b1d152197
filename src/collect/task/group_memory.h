/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * group_memory - what bounds the memory of a task by its control groups, and how much of it is
 * used.
 *
 * A task may use no more than the least of the limits of its group and of all groups above, in
 * either version of the hierarchy. What is used is that of the nearest group that counts memory:
 * in the unified hierarchy the controller may be switched off below. Where the older hierarchy does
 * not hand limits down (memory.use_hierarchy is 0), what is above does not bound the task.
 *
 * Of a cgroup namespace, what is above its root is not seen here, and may be less.
 */
#ifndef COLLECT_TASK_GROUP_MEMORY_H
#define COLLECT_TASK_GROUP_MEMORY_H

#include "base/mem.h"
#include "collect/task/group_file.h"

/* Reads memory.max or memory.limit_in_bytes; DETAIL_NO_LIMIT: there is none. False: it is neither.
 */
bool group_memory_parse(const char *text, uint64_t *bytes);
/* text: /proc/PID/cgroup, and scratch. Texts lie in the arena. */
void group_memory_read(struct group_mounts *mounts, int proc_fd, struct strbuf *text,
		       struct arena *arena, struct detail_memory *out);

#endif
