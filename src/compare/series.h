/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * series - what columns showed in one interval after the other: the rows of many frames, put
 * together by what they are about.
 *
 *   series_list_init(); series_list_add() with each frame; series_list_rank(); series_list_done()
 *
 * Only numbers are kept. One that is unknown is NaN; why numbers of a column are lacking stands
 * once for all of them. An interval in which a thing ended is left out, as it lived for a part of
 * it only, and so are intervals in which it was not there: time is told with each.
 *
 * All frames are of one screen and view. Times are those of people (CLOCK_REALTIME); where that
 * clock was set back, intervals go on behind the last one, as if it had not been.
 */
#ifndef COMPARE_SERIES_H
#define COMPARE_SERIES_H

#include "view/frame.h"
#include "view/row_id.h"

struct series_interval {
	uint64_t begin_ns, end_ns;
};

/* Of one thing. */
struct series {
	struct row_id id;
	uint64_t shown_id; /* what is shown as its id */
	char *name;        /* the last one that it had */
	size_t n, cap, cap_at, cap_units;
	struct series_interval *at; /* [n] */
	double *number;             /* [n][n_columns]; NaN: unknown */
	uint8_t *why;               /* [n_columns] QUALITY_EXACT: no number is lacking */
	char *program;              /* the name is one of it; NULL: it stands for itself */
	/* The time that it was busy for, on a CPU where its kind has no other; as far as it is
	 * known. */
	double busy_s;
	bool is_permanent; /* as a CPU, whether it is busy or not */
	/* Of what is busy with something that is counted, such as calls: how often, and the time
	 * that one of them took. */
	double n_units;
	double *unit_ns; /* [n] NaN: unknown, or there was none */
};

struct series_list {
	size_t *column; /* [n_columns] of the screen: those that are kept */
	size_t n_columns;
	struct series **v; /* in the order in which they came */
	size_t n, cap;
	struct hash index;
	/* Of all frames that had an interval. */
	size_t n_intervals;
	struct series_interval span; /* as the clock showed it */
	uint64_t end_ns;             /* of the last interval */
	uint64_t set_back_ns;        /* by so much the clock was, so far */
	double interval_s;           /* the mean; 0: there was none */
};

/* column: [n_columns] what is kept, each a column of numbers; copied. */
void series_list_init(struct series_list *l, const size_t *column, size_t n_columns);
void series_list_done(struct series_list *l);
void series_list_add(struct series_list *l, const struct frame *frame);
/* Puts those first that were busy for longest. */
void series_list_rank(struct series_list *l);

/* Copies the known numbers of a column into number[s->n], in order. Returns how many there are. */
size_t series_known(const struct series_list *l, const struct series *s, size_t column,
		    double *number);

#endif
