/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * syscall_filters - how many filters of system calls (seccomp(2)) a process runs under.
 *
 * /proc tells it. It is read by openat(2), read(2) and close(2) alone, with arguments as those by
 * which the loader has just read the libraries: so where a filter was set before the program was
 * executed, it allows them. A kernel before 5.9 tells only whether there are filters: they count as
 * one.
 */
#ifndef BASE_SYSCALL_FILTERS_H
#define BASE_SYSCALL_FILTERS_H

#define SYSCALL_FILTERS_OWN "/proc/self/status"

struct syscall_filters {
	int n;       /* -1: not known */
	long parent; /* the pid of the parent, in the namespace of /proc; 0: not known */
};

/* Reads the status of a process: path is SYSCALL_FILTERS_OWN, or that of another one. */
struct syscall_filters syscall_filters_read(const char *path);

#endif
