/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * programs - the processes of a command that have ended, put together by the names of their
 * programs.
 *
 * programs_take() has to come after the ends were taken from their rings and before programs_end()
 * is told of them: a process has got its name before it ended, so that it is there then.
 */
#ifndef SOURCE_WHOLE_PROGRAMS_H
#define SOURCE_WHOLE_PROGRAMS_H

#include "perf/lives.h"

struct program {
	char name[LIFE_NAME_MAX]; /* "?": nobody knows; tamed */
	uint64_t processes;
	uint64_t cpu_ns;
};

struct programs;

/* NULL: the kernel does not tell of names. */
struct programs *programs_open(struct perf_sys *sys, pid_t tid);
/* Takes the names that have come. */
void programs_take(struct programs *p);
/* A task has ended; cpu_ns: its own. */
void programs_end(struct programs *p, pid_t process, pid_t task, uint64_t cpu_ns);
/* Those that were met, the one with the most CPU time first. Valid until the next call. */
const struct program *programs_list(struct programs *p, size_t *n);
/* How many forks and names were lost: processes then have the name of another program, or "?". */
uint64_t programs_lost(const struct programs *p);
/* NULL is fine. */
void programs_free(struct programs *p);

#endif
