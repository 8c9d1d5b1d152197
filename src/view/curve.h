/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * curve - the values of a column over time, from the history: of one row in the last intervals, or
 * of one or two rows since the history began, drawn as a graph. Pure.
 *
 * Each moment of the history is one segment of a curve: it has a value, and a start and an end on
 * the axis. The axis is seconds of CLOCK_MONOTONIC, or the instructions that the row has retired
 * since the first moment kept, as far as they were counted; so over instructions, the same moment
 * is at different places of two curves. A moment without a value or a place is a gap.
 *
 * Ownership: the arena holds everything except the column, which belongs to the screen.
 */
#ifndef VIEW_CURVE_H
#define VIEW_CURVE_H

#include "base/mem.h"
#include "base/phase.h"
#include "model/history.h"
#include "screen/binding.h"
#include "view/frame.h"
#include "view/view.h"

/* ---- past ----
 *
 * The values of a column of one row in the last intervals, from its history. Pure.
 *
 * While the row was idle, the column is computed from increments of 0: %CPU is 0, a ratio has
 * nothing to divide by. Where the state of the row is unknown, the column has no number: before the
 * first record of the row, and before a fresh record (model/history.h).
 */

/* Computes a value from the row of an interval. */
typedef struct value past_compute(const void *context, const struct delta_row *row);

/* Sets out to the values of column i at the last n moments, up to the one shown by the frame.
 * Moments before the history begins have no number; a collapsed row has no number at any moment. */
void past_read_last(const struct frame *frame, const struct frame_row *row, size_t i, size_t n,
		    struct value *out);

/* ---- sum ----
 *
 * The values of a group in the last intervals: the sums of its members, from their history.
 *
 * Members are the rows of the history, ended ones included, whose last reading has the key of the
 * group and passes the filters of the view. At each moment their increments are folded as in
 * model/fold_groups.h, so that ratios are those of sums. Members that were idle, or did not exist
 * at the moment, add nothing. There is no number
 *
 *   - before a fresh record of a member, as its increments before are unknown, unless counting
 *     restarted for all rows;
 *   - before records that the history dropped for lack of memory, of a member or of a row that may
 *     have been one;
 *   - if the filter depends on numbers: which rows passed it in the past is unknown.
 */

/* Sets out[0] to out[n - 1] to the results of ask for the moments from `from` on. */
void past_sum_each(const struct frame *frame, const struct row_id *group, uint32_t from, size_t n,
		   past_compute *ask, const void *context, struct value *out);
/* Returns the group of all tasks of this task's user. */
struct row_id past_sum_of_user(const struct task *task);

/* ---- phases ----
 *
 * The moments at which columns of a row changed their level, from its history (base/phase.h). Pure.
 *
 * Three columns are examined: the drawn one, IPC, and the first column of numbers of the screen.
 * Intervals without a number are skipped: the values before and after them are compared.
 */

struct phases_change {
	const struct column *column; /* belongs to the screen */
	struct phase_change change;  /* `when` is a moment of the history */
};

struct phases {
	struct phases_change *v; /* by column, then by time */
	size_t n, cap;
};

/* ---- curve ---- */

#define CURVES_MAX     2
#define CURVE_NAME_MAX 48

struct curve {
	struct row_id of;
	char name[CURVE_NAME_MAX]; /* of the row */
	bool ended;                /* the task has ended */
	struct value *v;           /* [n] the value at each moment */
	double *begin, *end;       /* [n] the places on the axis */
};

struct curves {
	const struct column *column; /* NULL: nothing to draw; `why` has the reason */
	const char *why;
	bool instructions; /* the axis is instructions, not time */
	uint32_t first;    /* the first moment */
	size_t n;
	uint64_t *wall_ns; /* [n] the end of each interval */
	struct curve curve[CURVES_MAX];
	size_t n_curves;
	struct phases phases; /* of the row of the first curve */
	struct arena arena;
};

/* Returns the column to draw: the one that the view names, if the screen has it; else IPC; else the
 * sorting column; else the first column of numbers; n_columns: the screen has none. */
size_t curve_find_column(const struct screen *screen, const struct view *view);
/* Returns the next column of numbers in this direction (1 or -1); `column` itself if there is
 * none. */
size_t curve_next_column(const struct screen *screen, size_t column, int direction);

/* Builds the curves of a row, up to the moment of the frame, and of the second row that the view
 * selects. c must be zeroed before its first use. */
void curves_build(struct curves *c, const struct frame *frame, const struct row_id *of);
void curves_done(struct curves *c);

#endif
