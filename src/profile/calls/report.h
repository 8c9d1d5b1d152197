/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * report - sums up times and counts of a process's library calls: reads the table of the process
 * (inject/preload/calls_table.h) and adds up its threads.
 *
 * A line is a function, a group of functions, or a part: the program (the time in no listed
 * function) or the library (all functions). So the self times of the program and of the functions
 * add up to the time of the threads. Events come in pairs: an event in user mode, and then the same
 * event in kernel mode. The total of the former is also the count of the line CALLS_USER, the total
 * of the latter the count of CALLS_KERNEL. All times are in ticks of the process; a tick is
 * ns_per_tick / 2^32 ns.
 */
#ifndef PROFILE_CALLS_REPORT_H
#define PROFILE_CALLS_REPORT_H

#include <stdbool.h>

#include "base/err.h"
#include "inject/preload/calls_table.h"

enum calls_line_kind { CALLS_PART, CALLS_GROUP, CALLS_FUNCTION };

/* Indices of the first lines. CALLS_USER and CALLS_KERNEL cover both the program and the
 * library. */
enum calls_part { CALLS_OF_PROGRAM, CALLS_LIBRARY, CALLS_USER, CALLS_KERNEL, CALLS_PARTS };

struct calls_line {
	enum calls_line_kind kind;
	const char *name, *group; /* group: "" for parts */
	struct calls_row sum;     /* total and max are set for functions only */
	bool unknown;             /* the times in `sum` are unknown */
	/* Counts of each event, attributed to lines as sum.self is, over the threads that could
	 * count it. */
	uint64_t count[EVENT_NOTES_MAX];
};

/* A living thread. */
struct calls_alive {
	uint32_t function; /* the function that it has been in since `since`; 0: the program */
	uint64_t since;
};

struct calls_report {
	struct calls_header header;
	/* The parts, then the groups, then the functions that were called; groups and functions by
	 * self time, the longest first. */
	struct calls_line *line;
	size_t n;
	size_t longest;  /* the length of the longest name */
	uint64_t time;   /* of all threads */
	uint64_t own;    /* the estimated cost of measuring, part of `time` */
	uint64_t cpu_ns; /* the CPU time of the process, set by the caller; 0: unknown */
	uint64_t n_too_deep;
	/* The total of each event, over the threads that could count it. */
	uint64_t count[EVENT_NOTES_MAX];
	uint64_t *counts; /* counts of the program and of each function, laid out as in the table */
	struct calls_function *function; /* [header.n_functions] */
	struct calls_thread *sum;        /* the sum over all threads, with its rows */
	struct calls_alive *alive;
	size_t n_alive, cap_alive;
};

/* Returns the time of the clock that processes use for their tables. */
uint64_t calls_report_clock(void);
/* Reads the table. ended: the process has exited, so data that it was just writing is used as it
 * is. Returns -errno with a sentence that continues "the table of calls of the process 4711", and
 * an empty report. -EAGAIN: the table kept changing. */
int calls_report_read(struct calls_report *r, int fd, bool ended, struct err *err);
/* For each living thread, adds the time since its last change of function to the function that it
 * is in: up to `end`, or up to the end that the process itself noted. To be called once per
 * reading. */
void calls_report_close(struct calls_report *r, uint64_t end);
/* Calls calls_report_close() and makes the lines. end: used if the process has not noted its end,
 * as it still runs, was killed, or has executed another program. */
void calls_report_make(struct calls_report *r, uint64_t end);
/* Returns whether `total` and `max` of a function are known: some call has returned that is not
 * inside a call of the same function, and that had a frame. */
bool calls_report_has_total(const struct calls_row *row);
/* Returns whether any thread could count the event all the time. */
bool calls_report_knows(const struct calls_report *r, uint32_t event);
void calls_report_done(struct calls_report *r);

#endif
