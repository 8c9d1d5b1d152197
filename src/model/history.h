/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * history - what tasks did in the last intervals: their increments, kept in a bounded memory, so
 * that any column can be computed for any interval that is kept, where its events were counted
 * then.
 *
 * Moments. Each delta that is added is a moment, numbered from 1 on. One without an interval, which
 * is the first of a generation, is one at which nothing can be known of anybody.
 *
 * Records. A row that did something leaves a record: the increments of its events, its CPU time and
 * its facts, with their qualities, and the lengths of its intervals. Numbers have the 24 bits of a
 * float: 7 digits. A row that is seen for the first time, or again, leaves a record without
 * numbers. So of two records that follow each other, but not at following moments, it is known what
 * was between: nothing was done, where the second one has numbers; else nobody knows.
 *
 * Memory. Records lie in chunks, which grow with what their row has. When all of them are larger
 * than the limit, the oldest chunk of all goes, and with its last one the row. What ended tasks did
 * stays until then. Of each row its last reading is kept: it tells who that was.
 */
#ifndef MODEL_HISTORY_H
#define MODEL_HISTORY_H

#include "model/delta.h"

struct history;
/* The records of one row. */
struct history_track;

struct history_moment {
	uint64_t mono_ns, wall_ns; /* of the sample: the end of the interval */
	uint64_t interval_ns;      /* 0: nothing is known of it */
};

/* max: bytes in all. */
struct history *history_new(size_t max);
/* NULL is fine. */
void history_free(struct history *h);
/* Adds the rows of a delta, of processes or of threads. */
void history_add(struct history *h, const struct delta *delta);
/* Forgets all: what comes next is of another time. */
void history_reset(struct history *h);
size_t history_size(const struct history *h);

/* The first moment that is kept, and the last one; 0: there is none. */
uint32_t history_first(const struct history *h);
uint32_t history_last(const struct history *h);
/* One of these. */
const struct history_moment *history_moment(const struct history *h, uint32_t number);

/* What is kept of a row of the last delta, or of one that has gone; NULL: nothing. Valid until the
 * next history_add(). threads: rows were threads. */
const struct history_track *history_find(const struct history *h, const struct task *task,
					 bool threads);

/* Calls visit for all that is kept, rows that have gone, too, in no order. */
void history_each(const struct history *h,
		  void (*visit)(void *context, const struct history_track *track), void *context);
/* The last reading of the row, at its last record. */
const struct task *history_track_task(const struct history_track *track);
/* The last moment of the records of this row that are not kept any more; 0: all are. */
uint32_t history_track_cut(const struct history_track *track);
/* The same of rows of which no record is kept any more. */
uint32_t history_lost(const struct history *h);
/* Whether it was a thread's. */
bool history_track_is_thread(const struct history_track *track);

/* A place among the records of a track; its chunk is NULL behind the last one. */
struct history_position {
	const void *chunk;
	size_t word;
};

/* Goes through the records of a track; an empty one begins. */
struct history_walk {
	struct history_position next;
	/* The record: */
	uint32_t moment;
	bool fresh; /* it has no numbers */
	/* As it was in the delta, but for totals, and for texts, which are those of `task`. Valid
	 * until the next step. */
	struct delta_row row;
	struct delta_sums sums;
	struct value *value; /* of events, then their rates */
	size_t cap;
};

/* From the last record that is not behind this moment on, or from the first one. task: whose texts
 * the rows have. */
void history_walk_begin(struct history_walk *w, const struct history_track *track, uint32_t from,
			const struct task *task);
/* False: there is no further one. */
bool history_walk_next(struct history_walk *w);
/* The moment of the record that comes next; 0: there is none. */
uint32_t history_walk_peek(const struct history_walk *w, bool *fresh);
void history_walk_done(struct history_walk *w);

/* Makes the row of a moment at which nothing was done, from the record before: its states, and no
 * increments. */
void history_walk_idle(struct history_walk *w, uint64_t interval_ns);

#endif
