/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * curve - what a column of one row was, or of two, from their history: what a graph draws. Pure.
 *
 * Each moment of the history is a part of a curve: its number, and where it begins and ends on the
 * axis. That is seconds of CLOCK_MONOTONIC, or the instructions that the row itself has retired
 * since the first moment that is kept, as far as they were counted: two curves over instructions
 * have moments at different places. Where there is no number, or none of the place, is a gap.
 *
 * Ownership: all lies in the arena, but for the column, which is the screen's.
 */
#ifndef VIEW_CURVE_H
#define VIEW_CURVE_H

#include "base/mem.h"
#include "base/phase.h"
#include "view/frame.h"
#include "view/past.h"

/* ---- phases ----
 *
 * When columns of a row changed their level, from its history (base/phase.h). Pure.
 *
 * Looked at are the column that is drawn, IPC, and the first column of numbers of the screen.
 * Intervals without a number are left out: what was before and behind them is compared.
 */

struct phases_change {
	const struct column *column; /* the screen's */
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
	char name[CURVE_NAME_MAX]; /* whose it is */
	struct value *v;           /* [n] */
	double *begin, *end;       /* [n] */
};

struct curves {
	const struct column *column; /* NULL: there is nothing to draw, and `why` says why */
	const char *why;
	bool instructions; /* what the axis is */
	uint32_t first;    /* moment */
	size_t n;
	uint64_t *wall_ns; /* [n] the end of each interval */
	struct curve curve[CURVES_MAX];
	size_t n_curves;
	struct phases phases; /* of the first one's row */
	struct arena arena;
};

/* The column of the screen that the view wants drawn: the one that it names, if the screen has it;
 * else IPC; else the one that sorts; else the first of numbers. n_columns: the screen has none of
 * numbers. */
size_t curve_find_column(const struct screen *screen, const struct view *view);
/* The next one of numbers in this direction, or the same. */
size_t curve_next_column(const struct screen *screen, size_t column, int direction);

/* An empty one begins it. Builds the curves of a row, up to the moment that the frame shows, and of
 * the other one that the view wants beside it. */
void curves_build(struct curves *c, const struct frame *frame, const struct row_id *of);
void curves_done(struct curves *c);

#endif
