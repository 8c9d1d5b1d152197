/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * program_totals - the processes of a command that have ended, put together by the names of their
 * programs.
 */
#ifndef COLLECT_COMMAND_PROGRAM_TOTALS_H
#define COLLECT_COMMAND_PROGRAM_TOTALS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/value.h"
#include "pmu/perf/lives.h"

struct program {
	char name[LIFE_NAME_MAX]; /* "?": nobody knows */
	uint64_t processes;
	uint64_t known;  /* of so many it is known how they ended, */
	uint64_t failed; /* of which so many did with a status that is not 0, or by a signal */
	uint64_t cpu_ns;
};

struct programs {
	struct program *program;
	size_t n, cap;
};

/* A task has ended that used so much of a CPU. process: with it its process has. */
void programs_add(struct programs *p, const char *name, bool process, uint64_t cpu_ns);
/* It has become known how one of its processes ended, as wait(2) has it. */
void programs_add_end(struct programs *p, const char *name, int how);
/* How many of them failed: more did, perhaps, where it is not known of all (QUALITY_PARTIAL), and
 * it is unknown where none is known to have. */
struct value program_failed(const struct program *p);
/* Those that were met, the one with the most CPU time first. Valid until the next call. */
const struct program *programs_list(struct programs *p, size_t *n);
void programs_done(struct programs *p);

#endif
