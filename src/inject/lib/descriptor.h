/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * descriptor - keeps descriptors of libtiptop or of a preloaded object open in a program that does
 * not expect them.
 *
 * The kernel gives each new descriptor the lowest free number, and a program may rely on its own
 * numbers. So these descriptors are moved to the first free number from half of RLIMIT_NOFILE on,
 * or from DESCRIPTOR_HIGH on if that is lower, as the kernel's table grows with the highest number;
 * never below 3. The program may nevertheless close them (closefrom(3)) and reuse their numbers. So
 * a descriptor is read only if it refers to a counter: otherwise the reading might consume bytes of
 * a pipe, or block on a socket. A descriptor is closed only if it refers to the same counter as
 * when it was opened.
 *
 * The test is a read(2) of 0 bytes, which fails with ENOSPC only on a counter. Every seccomp filter
 * allows read(2).
 */
#ifndef INJECT_LIB_DESCRIPTOR_H
#define INJECT_LIB_DESCRIPTOR_H

#include <stdbool.h>
#include <stdint.h>

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

#endif
