/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * report - what the library calls of a process have cost: its table (inject/preload/calls_table.h),
 * read and added up over its threads.
 *
 * A line is a function; or a group of them; or the program, which is what is in no function, and
 * the library, which is all of them. So the self times of the program and of the functions are the
 * time of the threads. Events come in pairs: in user mode, and the same in the kernel (preload/
 * calls_table.h has them one by one); the user's part of all is that of the line of the user, too,
 * and the kernel's that of its line. All times are in ticks of the process: ns_per_tick / 2^32 ns
 * each.
 */
#ifndef PROFILE_CALLS_REPORT_H
#define PROFILE_CALLS_REPORT_H

#include <stdbool.h>

#include "base/err.h"
#include "inject/preload/calls_table.h"

enum calls_line_kind { CALLS_PART, CALLS_GROUP, CALLS_FUNCTION };

/* The first lines. User and kernel are both of the program and of the library. */
enum calls_part { CALLS_OF_PROGRAM, CALLS_LIBRARY, CALLS_USER, CALLS_KERNEL, CALLS_PARTS };

struct calls_line {
	enum calls_line_kind kind;
	const char *name, *group; /* group: "" of what is none of one */
	struct calls_row sum;     /* total and max: of functions only */
	bool unknown;             /* nothing of sum is known */
	/* What was counted, as `self` of sum, by the threads of which that is known. */
	uint64_t count[EVENT_NOTES_MAX];
};

/* A thread that has not ended. */
struct calls_alive {
	uint32_t function; /* where it was last; 0: in the program */
	uint64_t since;
};

struct calls_report {
	struct calls_header header;
	/* The parts, the groups and the functions that were called; of these, what took longest
	 * comes first. */
	struct calls_line *line;
	size_t n;
	size_t longest;  /* the length of the longest of their names */
	uint64_t time;   /* of all threads */
	uint64_t own;    /* what measuring took, an estimate: a part of the time */
	uint64_t cpu_ns; /* the CPU time of the process, set by who knows it; 0: not known */
	uint64_t n_too_deep;
	uint64_t count[EVENT_NOTES_MAX]; /* of all threads of which the event is known */
	uint64_t *counts;                /* of the program and of each function, as in the table */
	struct calls_function *function; /* [header.n_functions] */
	struct calls_thread *sum;        /* of all threads, with its rows */
	struct calls_alive *alive;
	size_t n_alive, cap_alive;
};

/* The clock, as processes read it for their tables. */
uint64_t calls_report_clock(void);
/* Reads the table. ended: the process has gone; so what it was writing then is taken as it stands.
 * -errno with a sentence, which goes on from "the table of calls of the process 4711", and an empty
 * report. -EAGAIN: it changed all the time. */
int calls_report_read(struct calls_report *r, int fd, bool ended, struct err *err);
/* Gives each thread that lives its time up to `end`, where it is; of a process that noted its own
 * end, up to that. Once for each reading. */
void calls_report_close(struct calls_report *r, uint64_t end);
/* The same, and makes the lines. end: the clock where it did not note its end, as it was killed. */
void calls_report_make(struct calls_report *r, uint64_t end);
/* Whether any thread could count the event all the time. */
bool calls_report_knows(const struct calls_report *r, uint32_t event);
void calls_report_done(struct calls_report *r);

#endif
