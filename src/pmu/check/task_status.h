/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * task_status - what /proc/TID/status tells of one task that the user names: a process or a thread.
 *
 * It is read with the capabilities of the program's file: with the mount option hidepid, /proc
 * shows users only their own tasks.
 */
#ifndef PMU_CHECK_TASK_STATUS_H
#define PMU_CHECK_TASK_STATUS_H

#include <stdbool.h>

struct task_status {
	char state;  /* R S D T Z ... */
	int process; /* the process that it belongs to */
	int parent;  /* the process that waits for the end of this one */
	long uid;    /* the effective user id, which decides */
	int tracer;  /* the process that follows it by ptrace(2); 0: none */
	bool kernel; /* a thread of the kernel, which has no memory of its own */
};

/* Reads the status. 0, or -errno where it cannot be read: the task is not there, or hidden. */
int task_status_read(int tid, struct task_status *out);

#endif
