/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * region_find - the file in which a process has the table of its regions (inject/lib/table.h).
 *
 * The process itself says which one it is: by /proc/PID/maps, as it has mapped it. The path is
 * looked up below /proc/PID/root, since the process may live in a container. What is found there
 * may be anything by then, so it is not opened before it was looked at: it must be the very file
 * that is mapped, by device and inode, a regular one, in memory (tmpfs), and of the user whose
 * process it is.
 *
 * Nor is anybody asked who may not answer: users have file systems of their own (FUSE), which
 * they can mount where they like in a namespace of theirs. What the kernel would have to ask for is
 * not the table: that is mapped, and so the kernel knows each folder on the way to it. (Linux
 * before 5.12 cannot be told so: the look at the path may take there what such a file system
 * takes.)
 */
#ifndef COLLECT_TABLE_REGION_FIND_H
#define COLLECT_TABLE_REGION_FIND_H

#include <stdbool.h>
#include <sys/types.h>

#include "base/err.h"

/* The file that a process has mapped, as /proc/PID/maps tells it. */
struct region_place {
	dev_t device;
	ino_t inode;
	char path[4096];
};

/* Opens the table of this process for reading. Returns the descriptor; or -ENOENT without a
 * sentence where the process has none; -ESRCH without one where it has gone, or could not be looked
 * at; or another -errno with one. */
int regions_find(int pid, struct err *err);

/* The same, of a process whose maps have been read. */
int regions_open(int pid, const struct region_place *place, struct err *err);

/* Whether the process that made the table still has it: it holds a lock until it ends. */
bool regions_is_held(int fd);

#endif
