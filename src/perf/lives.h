/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * lives - who makes whom among a task and all that it makes, and what their names become: as the
 * kernel writes it into a ring of each CPU.
 *
 * Records of one CPU come in their order, those of several do not: they have their times.
 */
#ifndef PERF_LIVES_H
#define PERF_LIVES_H

#include "perf/ring.h"

#define LIFE_NAME_MAX 16

struct lives;

struct life {
	pid_t process;
	pid_t maker; /* the process that has made it; 0: it has got a name */
	uint64_t time_ns;
	char name[LIFE_NAME_MAX];
};

/* Opens a ring on tid for each CPU below n_cpus that is online. Returns 0 or -errno. */
int lives_open(struct lives **out, struct perf_sys *sys, int n_cpus, pid_t tid);
/* Takes the next record of a process; those of single threads are passed over. False: there is none
 * so far. */
bool lives_next(struct lives *l, struct life *out);
/* Of all CPUs. */
struct ring_losses lives_losses(const struct lives *l);
/* NULL is fine. */
void lives_close(struct lives *l);

#endif
