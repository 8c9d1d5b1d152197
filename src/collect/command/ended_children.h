/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * ended_children - adds rows to samples for work of a command's children that no other row shows.
 *
 * A child that began and ended between two samples becomes a row of its own, with its counts from
 * its first instruction to its last, if the kernel has reported these counts. Otherwise the row has
 * only pid, name and end.
 *
 * A child that a sample finds while it lives is counted from then on; its earlier work is in the
 * row of the rest. If all of its final counts have arrived when its last row is made, the earlier
 * work moves to this row: in the totals only, since it is not known in which interval the work was
 * done (task.moved, model/sample.h). This needs exact counts, from counters that were not
 * multiplexed.
 * If rows are threads, the process must never have had a second thread.
 *
 * Rows of ended processes, also of the command, get their exit status and life time (FACT_EXIT,
 * FACT_LIFE_NS), as far as these are known.
 *
 * The counts of a child between the opening of its counters and their first reading are in the
 * total of the child, but in none of its intervals. So the rest has them in its intervals, but not
 * in its total.
 *
 * The rest is one more row: the total of the command less the counts of all rows so far. It has the
 * work of children whose counts are unknown, and of other children before their counters were
 * opened. So the increments of all rows in all samples add up to the total of the command, and so
 * do the last totals of all rows. The total must be read before the rows: then the rest is never
 * too large while tasks run, and what is missing in it is added after they have ended.
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
/* Adds the counts of the rows of s, the next sample, to the sum over all rows, and moves counts to
 * rows of ended children. If `wanted`, adds rows of children and the row of the rest to s. Call
 * descendants_read() first. */
void ended_add_rows(struct ended *e, struct descendant_list *descendants,
		    const struct command_counts *whole, bool wanted, struct sample *s);
/* NULL is allowed. */
void ended_free(struct ended *e);

#endif
