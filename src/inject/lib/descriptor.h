/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * descriptor - keeps descriptors of libtiptop or of a preloaded object open in a program that does
 * not expect them; and the file of its report (tt_destination_...).
 *
 * The kernel gives each new descriptor the lowest free number, and a program may rely on its own
 * numbers. So these descriptors are moved to the first free number from half of RLIMIT_NOFILE on,
 * or from DESCRIPTOR_HIGH on if that is lower, as the kernel's table grows with the highest number;
 * never below 3. The program may nevertheless close them (closefrom(3)) and reuse their numbers. So
 * a descriptor is read only if it refers to a counter: otherwise the reading might consume bytes of
 * a pipe, or block on a socket. A descriptor is closed only if it refers to the same counter as
 * when it was opened.
 *
 * The test is a read(2) of 0 bytes, which fails with ENOSPC only on a counter. Seccomp's strict
 * mode and most filters allow read(2).
 */
#ifndef INJECT_LIB_DESCRIPTOR_H
#define INJECT_LIB_DESCRIPTOR_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#define DESCRIPTOR_HIGH 1024

/* The most counters of a group. */
#define DESCRIPTOR_COUNTERS 24

/* The kernel's read format for PERF_FORMAT_GROUP with PERF_FORMAT_ID and both times. */
struct descriptor_group {
	uint64_t n, enabled, running;
	struct {
		uint64_t count, id;
	} counter[DESCRIPTOR_COUNTERS];
};

/* Moves a descriptor to a high number, and returns this number. -EMFILE: no number is free; the
 * descriptor is closed. */
int tt_descriptor_lift(int fd);
/* Reads all counters of the group that fd belongs to. Returns false, without having read anything,
 * if fd is not a counter. Preserves errno. */
bool tt_descriptor_read(int fd, struct descriptor_group *group);
/* Closes fd if it is the counter with this id. Preserves errno. */
void tt_descriptor_close(int fd, uint64_t id);

/* ---- destination ----
 *
 * The file that the report of regions is written to.
 *
 * A program may change its folder, root or user, and close all descriptors, before it ends. So the
 * file is opened at the start, with a path made absolute then, and its descriptor has a high number
 * (tt_descriptor_lift()). The report goes to the file that has the path at the time of the report,
 * as logs may be rotated. If the path cannot be opened any more, or the root has changed, the
 * report goes to the file that was opened at the start.
 *
 * Standard error is used only if it is the same file as at the start: the program may have opened
 * another file as descriptor 2.
 */

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
