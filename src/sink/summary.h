/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * summary - what a command has done, once it has ended: with all that it made, from its first
 * instruction on (source/whole/whole.h).
 *
 *   summary: make -j2, and all that it made, ended with status 0
 *   wall 12.345 s, CPU 23.456 s (190.0 %): user 20.100 s, system 3.356 s
 *        123456789 page-faults
 *                ? cycles: no permission ...
 *   1 hardware event of the whole command is not counted: ...
 *   of that, 123 tasks that have ended, as the kernel told
 *        123400000 page-faults
 *   programs by CPU time:
 *       17.500 s   25 cc1
 *     PID [ %CPU] %SYS ...               (the columns of the screen, over the whole run)
 */
#ifndef SINK_SUMMARY_H
#define SINK_SUMMARY_H

#include "base/strbuf.h"
#include "view/frame.h"

/* The processes of one program that have ended. */
struct summary_program {
	const char *name;
	uint64_t processes;
	struct value cpu_ns;
};

struct summary {
	char *const *command; /* its words, ended by a NULL */
	int status;           /* what a shell would say */
	bool unknown;         /* nobody knows its status */
	const char *left_out; /* why the whole lacks events that the rows have; NULL: it has them */
	/* Whether the kernel told of each task that ended; how many these were, and how many ends
	 * were lost. */
	bool each;
	uint64_t ended, lost;
	bool damaged;              /* and perhaps more that nobody has counted */
	const struct value *count; /* where `each`: of each event, what they have counted */
	/* The one with the most CPU time first; NULL: not known. */
	const struct summary_program *program;
	size_t n_programs;
	uint64_t names_lost; /* so many names were: some are those of other programs, or "?" */
	/* One row: the command with all that it made, over the time in which it ran. */
	const struct frame *frame;
};

/* How the whole was counted: "each" end is told, or "sum". */
const char *summary_level(const struct summary *s);
/* Its times in ns, each as well as it is known. */
struct value summary_cpu(const struct summary *s);
struct value summary_fact(const struct summary *s, enum fact fact);
/* Finds the next event, from i on, that is a number of its own; -1: there is none. */
int summary_next_event(const struct summary *s, int i);
/* The name of event i, as the screen has given it. */
const char *summary_event_name(const struct summary *s, int i);
/* What it has counted. */
struct value summary_event(const struct summary *s, int i);
/* Appends the lines, each behind this text. */
void summary_add_text(struct strbuf *out, const struct summary *s, const char *before);

#endif
