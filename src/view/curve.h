/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * curve - the values of a column over time, for one or two rows, from the history; drawn as a
 * graph. Pure.
 *
 * Each moment of the history is one segment of a curve: it has a value, and a begin and an end on
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
#include "view/frame.h"
#include "view/past.h"

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
