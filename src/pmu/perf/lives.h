/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * lives - the forks, exits and name changes of a task and all its descendants, with the parent of
 * each new one: the kernel writes them into one ring for each CPU.
 *
 * Records of one CPU are in order of time; those of several CPUs are not: compare their times.
 */
#ifndef PMU_PERF_LIVES_H
#define PMU_PERF_LIVES_H

#include "pmu/perf/ring.h"

#define LIFE_NAME_MAX 16

struct lives;

/* In this order at equal times. */
enum lives_what { LIVES_BEGIN, LIVES_NAME, LIVES_END };

struct life {
	enum lives_what what;
	pid_t process, task;
	pid_t maker;      /* of LIVES_BEGIN: the process that created the task; for a thread its own
			     process */
	uint64_t time_ns; /* CLOCK_BOOTTIME, like start_ns of tasks */
	char name[LIFE_NAME_MAX]; /* of LIVES_NAME: the new name of the process */
	bool executes;            /* of LIVES_NAME: by execve(2); else the process renamed itself */
};

/* Opens a ring on tid for each online CPU below n_cpus. Returns 0 or -errno. */
int lives_open(struct lives **out, struct perf_sys *sys, int n_cpus, pid_t tid);
/* Reads the next record; skips names of single threads. False: none so far. */
bool lives_next(struct lives *l, struct life *out);
/* Returns the losses of all CPUs. */
struct ring_losses lives_losses(struct lives *l);
/* Closes the rings and frees l. NULL is fine. */
void lives_close(struct lives *l);

#endif
