/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * descriptor - file descriptors of ours that stay open in a program that does not expect them.
 *
 * A program gets the lowest free numbers. Ours are moved to the first free number from half of
 * RLIMIT_NOFILE on, but from DESCRIPTOR_HIGH on if that is lower, since the kernel's table reaches
 * up to the highest number; never below 3. The program may close them all the same (closefrom(3))
 * and reuse their numbers. So a descriptor is read only if it is that of a counter: no byte is
 * taken from a pipe, and no socket blocks the reader. It is closed only if it is that of the very
 * counter.
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

/* Moves a descriptor to a high number. Returns that; -EMFILE: none is free, and the descriptor is
 * closed. */
int tt_descriptor_lift(int fd);
/* Reads all counters of the group that fd belongs to. Returns false if fd is not a counter; nothing
 * was read from it then. Preserves errno. */
bool tt_descriptor_read(int fd, struct descriptor_group *group);
/* Closes fd if it is the counter with this id. Preserves errno. */
void tt_descriptor_close(int fd, uint64_t id);

#endif
