/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * region_find - finds and opens the file with the table of regions of a process
 * (inject/lib/table.h).
 *
 * /proc/PID/maps shows the file, which the process has mapped. Its path is looked up below
 * /proc/PID/root, as the process may be in a container. The path may lead to any other file by
 * then, so the file is checked before it is opened: it must be the mapped file itself, by device
 * and inode, a regular file, in memory (tmpfs), and belong to the user of the process.
 *
 * No file system is accessed that may hang: users can have file systems of their own (FUSE),
 * mounted at any place in a namespace of theirs. So only cached parts of the path are looked up
 * (RESOLVE_CACHED): the table is mapped, so the kernel has each folder of its path in its cache.
 * Linux before 5.12 does not have this: there, the look-up of the path may take as long as such a
 * file system does.
 */
#ifndef COLLECT_TABLE_REGION_FIND_H
#define COLLECT_TABLE_REGION_FIND_H

#include <stdbool.h>
#include <sys/types.h>

#include "base/err.h"

/* A mapped file, from /proc/PID/maps. */
struct region_place {
	dev_t device;
	ino_t inode;
	char path[4096];
};

/* Opens the table of this process for reading. Returns the descriptor; -ENOENT without a sentence
 * if the process has none; -ESRCH without one if it has ended or could not be looked at; or another
 * -errno with a sentence. */
int regions_find(int pid, struct err *err);

/* Does the same, for a process whose maps were read. */
int regions_open(int pid, const struct region_place *place, struct err *err);

/* Returns whether the process that made the table still has it: it holds a lock until it ends. */
bool regions_is_held(int fd);

#endif
