/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * rows - the table of tasks on the live screen: the names of the columns, and a line for each task,
 * or why there is none. Texts that are cut end with a mark. Pure.
 */
#ifndef TUI_ROWS_H
#define TUI_ROWS_H

#include "base/value.h"
#include "tui/canvas.h"
#include "tui/keys.h"
#include "view/frame.h"

/* ---- spark ----
 *
 * The last values of a number as a line of small bars, one a column of the screen. Pure.
 *
 * A bar is as high as its value between 0 and the top of the scale; a value below 0 has the lowest
 * one. Where there is no number a dot stands, where there was nothing to divide by a blank. Bars of
 * estimates have the look of such numbers.
 */

/* The largest of the numbers and of `top`. */
double spark_top(const struct value *v, size_t n, double top);
/* Puts n bars at column x. */
void spark_put(struct canvas *c, int x, int y, uint8_t look, const struct value *v, size_t n,
	       double top);

/* ---- rows ---- */

/* Adds to hits where each name stands. */
void rows_paint_header(struct canvas *c, int y, const struct frame *frame,
		       const struct layout *layout, struct hits *hits);
/* Paints the visible rows from line y on; where there is none, the reason. Returns MARK_BIT()s of
 * the marks in them. */
unsigned rows_paint(struct canvas *c, int y, const struct frame *frame, const struct layout *layout,
		    const struct scroll *rows);
/* Paints the row over all of them; frame->total is there. Returns the marks likewise. */
unsigned rows_paint_total(struct canvas *c, int y, const struct frame *frame,
			  const struct layout *layout);

#endif
