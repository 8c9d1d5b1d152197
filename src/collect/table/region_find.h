/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * region_find - finds and opens the file with the table of regions of a process
 * (inject/lib/table.h).
 *
 * /proc/PID/maps shows the file, which the process has mapped. Its path is looked up below
 * /proc/PID/root, as the process may be in a container. By then, another file may be at this path,
 * so the file is checked before it is opened. It must be the mapped file itself, by device and
 * inode, a regular file, in memory (tmpfs), and belong to the user of the process.
 *
 * File systems that may hang must not be accessed: a user can mount a FUSE file system at any place
 * in a private mount namespace. So the path is looked up in the cache of the kernel only
 * (RESOLVE_CACHED). The kernel has each folder of the path in its cache, as the file is mapped.
 * Linux before 5.12 has no RESOLVE_CACHED: there, the lookup may hang as long as such a file system
 * does.
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

/* Opens the table of this process for reading. Returns the descriptor; -ENOENT, without a sentence,
 * if the process has no table; -ESRCH, without a sentence, if the process has ended or its status
 * cannot be read; or another -errno with a sentence. */
int regions_find(int pid, struct err *err);

/* Opens the table of a process at the place that was found in its maps. Returns as
 * regions_find(). */
int regions_open(int pid, const struct region_place *place, struct err *err);

/* Returns whether the process that made the table still uses it: it holds a lock on the file until
 * it ends. */
bool regions_is_held(int fd);

#endif
