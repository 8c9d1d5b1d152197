/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * lives - when tasks begin and end among a task and all that it makes, who makes whom, and what
 * their names become: as the kernel writes it into a ring of each CPU.
 *
 * Records of one CPU come in their order, those of several do not: they have their times.
 */
#ifndef PMU_PERF_LIVES_H
#define PMU_PERF_LIVES_H

#include "pmu/perf/ring.h"

#define LIFE_NAME_MAX 16

struct lives;

/* In the order of what happens at one time. */
enum lives_what { LIVES_BEGIN, LIVES_NAME, LIVES_END };

struct life {
	enum lives_what what;
	pid_t process, task;
	pid_t maker; /* of one that begins, the process that has made it: of a thread its own */
	uint64_t time_ns;         /* CLOCK_BOOTTIME, that of start_ns of tasks */
	char name[LIFE_NAME_MAX]; /* that the process has got */
	bool executes;            /* by executing a program; else it has renamed itself */
};

/* Opens a ring on tid for each CPU below n_cpus that is online. Returns 0 or -errno. */
int lives_open(struct lives **out, struct perf_sys *sys, int n_cpus, pid_t tid);
/* Takes the next record; names of single threads are passed over. False: there is none so far. */
bool lives_next(struct lives *l, struct life *out);
/* Of all CPUs. */
struct ring_losses lives_losses(struct lives *l);
/* NULL is fine. */
void lives_close(struct lives *l);

#endif
