/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * ended_children - adds the work of a command's children that no row of a sample shows.
 *
 * A child that began and ended between two samples becomes a row of its own, with its counts from
 * its first instruction to its last, if the kernel has reported them; of other children only pid,
 * name and end are known.
 *
 * A child that a sample has shown is counted from then on; its work before that is in the rest.
 * After its end, once all of its final counts have arrived, this work moves to its last row: in the
 * totals only, since it belongs to no known interval (moved, sample.h). This needs exact counts:
 * counters that did not take turns; and in rows of threads, a process that never had a second
 * thread.
 *
 * Rows of ended processes, also of the command, get their exit status and life time (FACT_EXIT,
 * FACT_LIFE_NS), as far as these are known.
 *
 * The counts of a child between the opening of its counters and their first reading are likewise in
 * its total, and in no interval of it: the rest has them in its intervals, and not in its total.
 *
 * The rest is one more row: the total of the command less all rows so far. It is the work of
 * children without known counts, and of others before their counters were opened; so the sum over
 * all rows, in all samples, is the total of the command, and so is the sum of the last totals of
 * all rows. The total must be read before the rows are: then the rest is never too large while
 * tasks run. What it lacks is made up for when they have ended.
 */
#ifndef COLLECT_COMMAND_ENDED_CHILDREN_H
#define COLLECT_COMMAND_ENDED_CHILDREN_H

#include "collect/command/descendants.h"
#include "model/sample.h"

/* The counts of the whole command. */
struct command_counts {
	pid_t command;
	const struct sample_events *events; /* NULL: nothing is counted */
	const struct count *count;          /* [events->n] */
	uint64_t unread;                    /* bit i: count[i] is unknown */
	int clock;                          /* index of the task clock; -1: none */
	bool each;                          /* the kernel reports the final counts of each child */
	/* Exit status of the command, as from wait(2), if how_known. */
	bool how_known;
	int how;
};

struct ended;

struct ended *ended_new(void);
/* Sets the last sample before the command starts. */
void ended_begin(struct ended *e, const struct sample *s);
/* Adds up the counts of the rows of the next sample, and moves counts to rows of ended children;
 * adds rows of children and the rest if `wanted`. Call descendants_read() before it. */
void ended_add_rows(struct ended *e, struct descendant_list *kin,
		    const struct command_counts *whole, bool wanted, struct sample *s);
/* NULL is allowed. */
void ended_free(struct ended *e);

#endif
