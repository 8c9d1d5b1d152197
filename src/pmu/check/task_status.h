/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * task_status - reads /proc/TID/status of one task, a process or a thread, that the user has named.
 *
 * The file is read with the capabilities of the program (privilege.h), since with the mount option
 * hidepid, /proc shows users only their own tasks.
 */
#ifndef PMU_CHECK_TASK_STATUS_H
#define PMU_CHECK_TASK_STATUS_H

#include <stdbool.h>

struct task_status {
	char state;  /* R S D T Z ... */
	int process; /* the process that the task belongs to */
	int parent;  /* the parent of `process` */
	long uid;    /* the effective user id */
	int tracer;  /* the process that traces the task by ptrace(2); 0: none */
	bool kernel; /* a kernel thread, which has no memory of its own */
};

/* Reads the status. Returns 0, or -errno if it cannot be read: the task does not exist, or is
 * hidden. */
int task_status_read(int tid, struct task_status *out);

#endif
