/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * destination - the file that the report of regions is written to.
 *
 * A program may change its folder, root or user, and close all descriptors, before it ends. So the
 * file is opened at the start, with a path made absolute then, and its descriptor has a high number
 * (descriptor.h). The report goes to the file that has the path at the time of the report, as logs
 * may be rotated. If the path cannot be opened any more, or the root has changed, the report goes
 * to the file that was opened at the start.
 *
 * Standard error is used only if it is the same file as at the start: the program may have opened
 * another file as descriptor 2.
 */
#ifndef INJECT_LIB_DESTINATION_H
#define INJECT_LIB_DESTINATION_H

#include <stdbool.h>
#include <sys/types.h>

/* Sets the destination: a path, or "" for standard error. -errno: the file cannot be opened. */
int tt_destination_begin(const char *path);
/* Returns whether the process still has the root folder that it had at the start. */
bool tt_destination_has_root(void);
/* Opens the destination. Returns a descriptor, or -EBADF. This function and those below are safe in
 * a signal handler.
 */
int tt_destination_open(void);
/* Writes as write(2) does, but without raising a signal: SIGPIPE if the pipe has no reader, SIGXFSZ
 * if the file would exceed RLIMIT_FSIZE, SIGTTOU from a background process. */
ssize_t tt_destination_write(int fd, const char *text, size_t size);
void tt_destination_close(int fd);
/* Returns whether the destination begins with this text, such as the names of the columns. If the
 * destination cannot be read, returns whether this process has called the function before. */
bool tt_destination_begins_with(const char *text, size_t n);

#endif
