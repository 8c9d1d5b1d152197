/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * programs - the processes of a command that have ended, put together by the names of their
 * programs.
 */
#ifndef SOURCE_WHOLE_PROGRAMS_H
#define SOURCE_WHOLE_PROGRAMS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "perf/lives.h"

struct program {
	char name[LIFE_NAME_MAX]; /* "?": nobody knows */
	uint64_t processes;
	uint64_t cpu_ns;
};

struct programs {
	struct program *program;
	size_t n, cap;
};

/* A task has ended that used so much of a CPU. process: with it its process has. */
void programs_add(struct programs *p, const char *name, bool process, uint64_t cpu_ns);
/* Those that were met, the one with the most CPU time first. Valid until the next call. */
const struct program *programs_list(struct programs *p, size_t *n);
void programs_done(struct programs *p);

#endif
