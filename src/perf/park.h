/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * park - open files without descriptors: they are put into the file table of an io_uring, and their descriptors are
 * closed. So a group of counters needs one descriptor, that of its leader, whatever its size; it is read as before.
 *
 * Of the ways to do this it is the cheapest (µs for a group of 4, on a 2-core VM): 44 to open and park, against 38 to
 * open alone; one mapped page for each sibling takes 98 and two more areas of the address space. No ring is ever used:
 * nothing is submitted.
 *
 * Where io_uring is not to be had (before Linux 5.5, kernel.io_uring_disabled, seccomp), park_files() says so once and
 * for all, and descriptors stay what they are.
 */
#ifndef PERF_PARK_H
#define PERF_PARK_H

#include <stdbool.h>

#define PARK_FILES_MAX 64 /* at a time */
#define PARK_RINGS_MAX 16

struct park {
	struct {
		int fd;
		int used; /* places of its table that were ever taken since it was empty */
	} ring[PARK_RINGS_MAX];
	int n_rings, capacity; /* places of each table: at most RLIMIT_NOFILE */
	int n_held;            /* files that are parked */
	bool broken;           /* there is no io_uring here */
	/* Places that were given back, by how many files they hold. */
	struct {
		int *ticket;
		int n, cap;
	} free[PARK_FILES_MAX];
};

void park_init(struct park *p);
/* Lets all go. */
void park_done(struct park *p);

/* Takes n files (1 to PARK_FILES_MAX - 1) and closes their descriptors. Returns a ticket, or -errno and nothing has
 * changed. */
int park_files(struct park *p, const int *fd, int n);
/* Lets the n files of a ticket go. */
void park_drop(struct park *p, int ticket, int n);

#endif
