/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * history - the increments of tasks in the last intervals, in a bounded memory, so that any column
 * can be computed for any of these intervals in which its events were counted.
 *
 * Moments. Each delta that is added is a moment, numbered from 1 on. A delta without an interval,
 * the first of a generation, is a moment at which nothing is known of any row.
 *
 * Records. A row that did something has a record, unless it has more than 128 events: their
 * increments, its CPU time and its facts, with their qualities, and the lengths of its intervals.
 * Numbers have the 24 bits of a float: 7 digits. A row that is fresh, but has earlier records, has
 * a record without numbers. So if there are moments between two consecutive records, the row was
 * idle at them if the second one has numbers; else its state there is unknown.
 *
 * Memory. Records lie in chunks; each next chunk of a row is larger, up to a maximum. Above the
 * limit, the oldest chunk of all rows is dropped, and a row is dropped with its last chunk. Records
 * of ended tasks stay until then. The last reading of each row is kept to identify it.
 */
#ifndef MODEL_HISTORY_H
#define MODEL_HISTORY_H

#include "model/delta.h"

struct history;
/* The records of one row. */
struct history_track;

struct history_moment {
	uint64_t mono_ns, wall_ns; /* of the sample: the end of the interval */
	uint64_t interval_ns;      /* 0: nothing is known of the interval */
};

/* max: limit in bytes. */
struct history *history_new(size_t max);
void history_free(struct history *h);
/* Adds the rows of a delta, of processes or of threads. */
void history_add(struct history *h, const struct delta *delta);
/* Drops all records and moments; the next moment has the next number. */
void history_reset(struct history *h);
size_t history_size(const struct history *h);

/* Return the numbers of the first and the last moment that are kept. If none is kept, the first is
 * 0. */
uint32_t history_first(const struct history *h);
uint32_t history_last(const struct history *h);
/* Returns a moment that is kept. */
const struct history_moment *history_moment(const struct history *h, uint32_t number);

/* Returns the track of a row of the last delta, or of one that has ended; NULL: none. Valid until
 * the next history_add(). threads: the row is a thread. */
const struct history_track *history_find(const struct history *h, const struct task *task,
					 bool threads);

/* Calls visit for each track, those of ended rows, too, in no order. */
void history_each(const struct history *h,
		  void (*visit)(void *context, const struct history_track *track), void *context);
/* Returns the reading of the row at its last record with numbers. */
const struct task *history_track_task(const struct history_track *track);
/* Returns the last moment of which a record of this row was dropped; 0: none was. */
uint32_t history_track_cut(const struct history_track *track);
/* Returns the last moment of the tracks that were dropped; 0: none was. */
uint32_t history_lost(const struct history *h);
/* Returns whether the row is a thread. */
bool history_track_is_thread(const struct history_track *track);

/* A position among the records of a track; chunk NULL: after the last one. */
struct history_position {
	const void *chunk;
	size_t word;
};

/* An iterator over the records of a track. Must be zeroed before its first use. */
struct history_walk {
	struct history_position next;
	/* The current record: */
	uint32_t moment;
	bool fresh; /* the record has no numbers */
	/* The row as in the delta, but without totals, and with the texts of `task`. Valid until
	 * the next step. */
	struct delta_row row;
	struct delta_sums sums; /* the facts of the row: owned, reused by the next step */
	struct value *value;    /* increments, their rates, totals; all totals are unknown */
	size_t cap;
};

/* Starts at the last record that is not after the moment `from`; if there is none, at the first
 * record. task: the reading whose texts the rows get. */
void history_walk_begin(struct history_walk *w, const struct history_track *track, uint32_t from,
			const struct task *task);
/* Moves to the next record. Returns false at the end. */
bool history_walk_next(struct history_walk *w);
/* Returns the moment of the next record, 0: none, and sets *fresh to whether it has no numbers. */
uint32_t history_walk_peek(const struct history_walk *w, bool *fresh);
void history_walk_done(struct history_walk *w);

/* Turns the row of the last record into the row of a later moment at which the task was idle: the
 * gauges stay, and the increments are 0. */
void history_walk_idle(struct history_walk *w, uint64_t interval_ns);

#endif
