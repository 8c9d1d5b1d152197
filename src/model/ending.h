/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * ending - how a command that was followed has ended, and what is known of all that it made beside
 * the numbers of its row (kind_command).
 *
 * All that it points to is borrowed.
 */
#ifndef MODEL_ENDING_H
#define MODEL_ENDING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/value.h"

/* The processes of one program that have ended. */
struct ending_program {
	const char *name;
	uint64_t processes;
	struct value cpu_ns;
	/* How many of them did with a status that is not 0, or by a signal. */
	struct value failed;
};

/* How it is known what each task has counted that ended; as recordings have it. */
enum ending_each {
	ENDING_SUM = 0,      /* it is not: only the sum over all is */
	ENDING_REPORTED = 1, /* the kernel told it (PERF_RECORD_READ) */
	ENDING_TRACED = 2    /* each was followed by ptrace(2) */
};

struct ending {
	char *const *command; /* its words, ended by a NULL */
	int status;           /* what a shell would say */
	bool unknown;         /* nobody knows its status */
	const char *left_out; /* why the whole lacks events that the rows have; NULL: it has them */
	bool alone;           /* nobody asked for the ends of its tasks, and none was told */
	/* Where `each`: how many tasks ended, and how many ends were lost. */
	enum ending_each each;
	uint64_t ended, lost;
	uint64_t reopened;         /* how often rings stood still, and others were opened */
	bool damaged;              /* and perhaps more that nobody has counted */
	const struct value *count; /* where `each`: of each event, what they have counted */
	/* The one with the most CPU time first; NULL: not known. */
	const struct ending_program *program;
	size_t n_programs;
	uint64_t names_lost; /* so many names were: some are those of other programs, or "?" */
	uint64_t from_ns;    /* its count began so long after its start; 0: with that */
};

#endif
