/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * lives - reads the kernel's records of the forks, exits and name changes of a task and all its
 * descendants. The kernel writes them into one ring for each CPU.
 *
 * Records of one CPU are in the order of time. To order records of several CPUs, compare their
 * times.
 */
#ifndef PMU_PERF_LIVES_H
#define PMU_PERF_LIVES_H

#include "pmu/perf/ring.h"

#define LIFE_NAME_MAX 16

struct lives;

/* To order records with equal times, compare these values. */
enum lives_what { LIVES_BEGIN, LIVES_NAME, LIVES_END };

struct life {
	enum lives_what what;
	pid_t process, task;
	/* For LIVES_BEGIN: the process that created the task; if the task is a thread, its own
	 * process. */
	pid_t creator_pid;
	uint64_t time_ns;         /* CLOCK_BOOTTIME, like start_ns of tasks */
	char name[LIFE_NAME_MAX]; /* for LIVES_NAME: the new name of the process */
	/* For LIVES_NAME: the name was changed by execve(2), not by the process itself. */
	bool executes;
};

/* Opens a ring on tid for each online CPU below n_cpus. Returns 0 or -errno. */
int lives_open(struct lives **out, struct perf_sys *sys, int n_cpus, pid_t tid);
/* Reads the next record; skips name changes of threads other than the main thread. False: no record
 * is unread. */
bool lives_next(struct lives *l, struct life *out);
/* Returns the losses of all CPUs. */
struct ring_losses lives_losses(struct lives *l);
/* Closes the rings and frees l. l may be NULL. */
void lives_close(struct lives *l);

#endif
