/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * destination - where the report of regions goes.
 *
 * A program may go to another folder, root or user, and close all descriptors, before it ends. So a
 * file is opened at the start, in the folder of then, and its descriptor lies high (descriptor.h).
 * The report goes to what has its path at the time of the report, as programs move logs away; where
 * the path cannot be opened any more, or the root is another one, to the file of the start.
 *
 * Standard error is written to only while it is what it was at the start: a program may have a file
 * of its own there.
 */
#ifndef INJECT_LIB_DESTINATION_H
#define INJECT_LIB_DESTINATION_H

#include <stdbool.h>
#include <sys/types.h>

/* Notes where to: a path, "" for standard error. -errno: the file cannot be opened. */
int tt_destination_begin(const char *path);
/* Whether paths are still looked up below the root of the start. */
bool tt_destination_has_root(void);
/* Opens it. Returns a descriptor; -errno: there is none. All of these are safe in a signal handler.
 */
int tt_destination_open(void);
/* Writes as write(2) does, but no signal comes of it: where nobody reads any more (SIGPIPE), where
 * the file would be larger than RLIMIT_FSIZE (SIGXFSZ), or on a terminal of others (SIGTTOU). */
ssize_t tt_destination_write(int fd, const char *text, size_t size);
void tt_destination_close(int fd);
/* Whether what was opened begins with this text, such as the names of the columns. Of what cannot
 * be read again: whether it was asked for before, by this process. */
bool tt_destination_begins_with(const char *text, size_t n);

#endif
