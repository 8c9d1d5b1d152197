/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * ended - what the children of a command have done that no row of a sample shows.
 *
 * A child that began and ended between two samples becomes a row of its own, with what it has
 * counted from its first instruction to its last, where the kernel has told that; of others only
 * who they were is known.
 *
 * Rows of processes that have ended, whoever made them, get how they ended and how long they lived
 * (FACT_EXIT, FACT_LIFE_NS), as far as that is known.
 *
 * The rest is one row more: what the whole has counted and no row has, so far. It is the work of
 * children whose counts nobody told, and that of others before their counters were opened; so the
 * sum over all rows, in all samples, is the whole. The whole has to be read before the rows are:
 * while tasks run, the rest then is never too much. What it may lack is made up for when they have
 * ended.
 */
#ifndef SOURCE_WHOLE_ENDED_H
#define SOURCE_WHOLE_ENDED_H

#include "model/sample.h"
#include "source/whole/kin.h"

/* What the whole has counted. */
struct ended_whole {
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
 * they are wanted. The names and ends of these have been taken (kin_take()). */
void ended_add_rows(struct ended *e, struct kin_list *kin, const struct ended_whole *whole,
		    bool wanted, struct sample *s);
/* NULL is fine. */
void ended_free(struct ended *e);

#endif
