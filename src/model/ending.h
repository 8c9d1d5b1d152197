/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * ending - how a followed command ended, and data about its descendants, besides the numbers
 * of its row (kind_command).
 *
 * Ownership: all pointers are borrowed.
 */
#ifndef MODEL_ENDING_H
#define MODEL_ENDING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/value.h"

/* The ended processes of one program. */
struct ending_program {
	const char *name;
	uint64_t processes;
	struct value cpu_ns;
	/* How many of the processes ended by a signal or with a status other than 0. */
	struct value failed;
};

/* The source of the counts of each task that ended. Recordings store these values: they must not
 * change. */
enum ending_each {
	ENDING_SUM = 0,      /* none: only the sum over all tasks is known */
	ENDING_REPORTED = 1, /* the kernel reported it (PERF_RECORD_READ) */
	ENDING_TRACED = 2    /* each task was followed by ptrace(2) */
};

struct ending {
	char *const *command; /* its arguments, terminated by NULL */
	int status;           /* as a shell reports it */
	bool unknown;         /* the status is unknown */
	/* Why the total lacks events or tasks; NULL: it lacks none, or the rows tell why. */
	const char *left_out;
	bool alone; /* reports of the ends of its tasks were not requested (--repeat) */
	/* Unless `each` is ENDING_SUM: the tasks that ended, and the ends whose reports were
	 * lost. */
	enum ending_each each;
	uint64_t ended, lost;
	uint64_t reopened; /* how often perf's ring buffers stalled and were reopened */
	bool damaged;      /* the records are damaged: more may be missing than was counted */
	/* [number of events] Each event's sum over the ended tasks. If `each` is ENDING_SUM: NULL,
	 * or all are unknown. */
	const struct value *count;
	/* Sorted by CPU time, the largest first; NULL: unknown. */
	const struct ending_program *program;
	size_t n_programs;
	uint64_t names_lost; /* process names lost: some counts then belong to other programs, or to
				"?" */
	uint64_t from_ns; /* from the start of the command to the start of counting (ns); 0: counted
			     from its start */
};

#endif
