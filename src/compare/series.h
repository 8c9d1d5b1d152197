/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * series - the numbers of columns in successive intervals, from the rows of many frames: a series
 * for each thing, such as a task or a CPU, that rows are about.
 *
 *   series_list_init(); series_list_add() with each frame; series_list_rank(); series_list_done()
 *
 * Only numbers are kept. An unknown number is NaN; the reason is kept once for each column.
 * Intervals in which a thing ended are left out, as it lived only for a part of them, and so are
 * intervals in which it did not exist: each number has its time.
 *
 * Columns of a screen are found by their names (columns).
 *
 * All frames have the same screen and view. Times are wall-clock times (CLOCK_REALTIME); if that
 * clock is set back, later intervals are moved after the last one, as if it had not been set.
 */
#ifndef COMPARE_SERIES_H
#define COMPARE_SERIES_H

#include "base/err.h"
#include "screen/screen.h"
#include "view/frame.h"
#include "view/view.h"

/* ---- columns ----
 *
 * Finds the columns of a screen by their names.
 */

struct columns {
	size_t *v; /* indices in the screen */
	size_t n, cap;
};

/* Finds the columns of a list of ids or headers, such as "ipc,%CPU", in the order of the list. list
 * NULL: finds all columns of numbers, except states without a unit, such as the CPU on which a task
 * last ran. -EINVAL with a sentence: a name is unknown, is that of a column of texts, or occurs
 * twice. */
int columns_find(struct columns *out, const char *list, const struct screen *screen,
		 struct err *err);
void columns_done(struct columns *c);

/* ---- series ---- */

struct series_interval {
	uint64_t begin_ns, end_ns;
};

/* The series of one thing. */
struct series {
	struct row_id id;
	uint64_t shown_id; /* the id that is shown */
	char *name;        /* its last name */
	size_t n, cap, cap_at, cap_units;
	struct series_interval *at; /* [n] */
	double *number;             /* [n][n_columns]; NaN: unknown */
	uint8_t *why;  /* [n_columns] why a number is unknown; QUALITY_EXACT: none is */
	char *program; /* the program that the name belongs to; owned; NULL: the name is global */
	/* Seconds for which the thing was busy: the time that its kind defines, else CPU time.
	 * Intervals in which this time is unknown are left out. */
	double busy_s;
	bool is_permanent; /* exists all the time, busy or not, as a CPU does */
	/* If the kind counts units of work, such as calls: their number, and the time of one. */
	double n_units;
	double *unit_ns; /* [n] NaN: unknown, or no units */
};

struct series_list {
	size_t *column; /* [n_columns] indices of the screen's columns that are kept */
	size_t n_columns;
	struct series **v; /* in the order of their first frames */
	size_t n, cap;
	struct hash index;
	size_t n_runs; /* added by series_list_add_run() */
	/* Over all frames that had an interval. */
	size_t n_intervals;
	struct series_interval span; /* by the clock, including its jumps */
	uint64_t end_ns;             /* of the last interval */
	uint64_t set_back_ns;        /* how much the clock was set back so far */
	double interval_s;           /* the mean; 0: no interval */
};

/* column: [n_columns] indices of columns of the screen that show numbers; copied. */
void series_list_init(struct series_list *l, const size_t *column, size_t n_columns);
void series_list_done(struct series_list *l);
void series_list_add(struct series_list *l, const struct frame *frame);

/* The steps of series_list_add(), for numbers that are not in frames. */

/* Begins an interval with the length ns, which ends at end_ns (CLOCK_REALTIME). Returns its times,
 * moved if the clock was set back. */
struct series_interval series_list_begin(struct series_list *l, uint64_t end_ns, uint64_t ns);
/* Returns the series of a row, creating it if needed, and sets its name. */
struct series *series_list_need(struct series_list *l, struct row_id id, const char *name);
/* Adds an interval to a series. Returns its numbers [n_columns], which the caller sets; valid until
 * the next call for this series. */
double *series_append(const struct series_list *l, struct series *s, struct series_interval at);

/* Adds a run as one interval, its span: the number of a series in a column is the mean of its known
 * numbers. Number i of a series is that of run i; it is unknown if the run does not have the
 * series, and missing if no later run has it either. Series are matched by kind, program and name.
 */
void series_list_add_run(struct series_list *l, const struct series_list *run);
/* Sorts by busy time, the longest first. */
void series_list_rank(struct series_list *l);

#endif
