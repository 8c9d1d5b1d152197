/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * syscall_filters - the number of system call filters (seccomp(2)) that a process runs under, from
 * /proc.
 *
 * The file is read only with openat(2), read(2) and close(2). The dynamic loader has used these
 * calls to read the libraries, so a filter that was set before the execve(2) of the program allows
 * them. A kernel before 5.9 shows only whether there are filters: they count as one.
 */
#ifndef BASE_SYSCALL_FILTERS_H
#define BASE_SYSCALL_FILTERS_H

#define SYSCALL_FILTERS_OWN "/proc/self/status"

struct syscall_filters {
	int n;       /* -1: unknown */
	long parent; /* the pid of the parent, in the namespace of /proc; 0: unknown */
};

/* Reads the status of a process. path: SYSCALL_FILTERS_OWN, or the status file of another
 * process. */
struct syscall_filters syscall_filters_read(const char *path);

#endif
