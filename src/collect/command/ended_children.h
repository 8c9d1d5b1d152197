/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * ended_children - what the children of a command have done that no row of a sample shows.
 *
 * A child that began and ended between two samples becomes a row of its own, with what it has
 * counted from its first instruction to its last, where the kernel has told that; of others only
 * who they were is known.
 *
 * A child that a sample has shown is counted from then on; what it did before is in the rest. When
 * it has ended, and the kernel has told all that it has counted, its last row gets that, and the
 * rest has it no more: in the totals, since it is of no interval that is known (moved, sample.h).
 * That takes counts that are known to the last event: where nothing took turns, and of threads as
 * rows only the process that never had a second one.
 *
 * Rows of processes that have ended, whoever made them, get how they ended and how long they lived
 * (FACT_EXIT, FACT_LIFE_NS), as far as that is known.
 *
 * What its counters counted between their opening and their first reading is likewise in its total,
 * and in no interval of it: the rest has it in its intervals, and not in its total.
 *
 * The rest is one row more: what the whole has counted and no row has, so far. It is the work of
 * children whose counts nobody told, and that of others before their counters were opened; so the
 * sum over all rows, in all samples, is the whole, and so is that of the last totals of all rows.
 * The whole has to be read before the rows are: while tasks run, the rest then is never too much.
 * What it may lack is made up for when they have ended.
 */
#ifndef COLLECT_COMMAND_ENDED_CHILDREN_H
#define COLLECT_COMMAND_ENDED_CHILDREN_H

#include "collect/command/descendants.h"
#include "model/sample.h"

/* What the whole has counted. */
struct command_counts {
	pid_t command;
	const struct sample_events *events; /* NULL: nothing is counted */
	const struct count *count;          /* [events->n] */
	uint64_t unread;                    /* bit i: count[i] is not known */
	int clock;                          /* the event that is the task clock; -1: none */
	bool each; /* the kernel tells what each child has counted that ends */
	/* How the command has ended, as wait(2) has it; where that is known. */
	bool how_known;
	int how;
};

struct ended;

struct ended *ended_new(void);
/* The last sample before the command goes on. */
void ended_begin(struct ended *e, const struct sample *s);
/* Notes what the rows of the next sample have counted, and adds those of children; these only where
 * they are wanted. The names and ends of these have been taken (descendants_read()). */
void ended_add_rows(struct ended *e, struct descendant_list *kin,
		    const struct command_counts *whole, bool wanted, struct sample *s);
/* NULL is fine. */
void ended_free(struct ended *e);

#endif
