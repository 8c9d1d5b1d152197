/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * descriptor - descriptors that stay open in a program that does not know of them.
 *
 * They lie above those that a program gets, which are the lowest free ones: never below 3, and in
 * the upper half of what the process may open, but no higher than DESCRIPTOR_HIGH, since the kernel
 * has a table up to the highest one. The program may close them all the same (closefrom(3)), and
 * have something else there. So a counter is read only where the descriptor is one of counters: no
 * byte of a pipe is taken, and no socket is waited for. It is closed only where it is the very one.
 *
 * For that nothing but read(2) is needed, which filters of system calls allow before all else: of
 * counters, the kernel refuses to read 0 bytes (ENOSPC), and all other files give 0 or EBADF.
 */
#ifndef INJECT_LIB_DESCRIPTOR_H
#define INJECT_LIB_DESCRIPTOR_H

#include <stdbool.h>
#include <stdint.h>

#define DESCRIPTOR_HIGH 1024

/* The most counters of a group. */
#define DESCRIPTOR_COUNTERS 24

/* What the kernel gives for PERF_FORMAT_GROUP with PERF_FORMAT_ID and both times. */
struct descriptor_group {
	uint64_t n, enabled, running;
	struct {
		uint64_t count, id;
	} counter[DESCRIPTOR_COUNTERS];
};

/* Moves a descriptor up. Returns its new number; -errno: there is none left, and it is closed. */
int tt_descriptor_lift(int fd);
/* Reads all counters of the group that one of them is in. False: the descriptor is not one of
 * counters, and nothing was taken from what it is. Keeps errno. */
bool tt_descriptor_read(int fd, struct descriptor_group *group);
/* Closes it if it is the counter with this id. Keeps errno. */
void tt_descriptor_close(int fd, uint64_t id);

#endif
