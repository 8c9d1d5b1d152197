/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * rows - the table of tasks on the live screen: the names of the columns, and a line for each task,
 * or the reason why there is none. Cut texts end with a mark. Pure.
 */
#ifndef TUI_ROWS_H
#define TUI_ROWS_H

#include "base/value.h"
#include "tui/canvas.h"
#include "tui/ui_state.h"
#include "view/frame.h"

/* ---- spark ----
 *
 * The last values of a column as a line of small bars, one per cell. Pure.
 *
 * The height of a bar is its value on a scale from 0 to top; a negative value has the lowest bar. A
 * dot stands for an unknown number, a blank for a division by zero. Bars of estimates have the look
 * of estimates.
 */

/* Returns the largest of the known values and of `top`. */
double spark_top(const struct value *v, size_t n, double top);
/* Paints n bars from column x on. */
void spark_put(struct canvas *c, int x, int y, uint8_t look, const struct value *v, size_t n,
	       double top);

/* ---- rows ---- */

/* Paints the names of the columns, and adds their places to hits. */
void rows_paint_header(struct canvas *c, int y, const struct frame *frame,
		       const struct layout *layout, struct hits *hits);
/* Paints the visible rows from line y on; the reason if there is no row. Returns the MARK_BIT()s of
 * the marks in them. */
unsigned rows_paint(struct canvas *c, int y, const struct frame *frame, const struct layout *layout,
		    const struct scroll *rows);
/* Paints the row of totals, which frame->total must have. Returns its marks likewise. */
unsigned rows_paint_total(struct canvas *c, int y, const struct frame *frame,
			  const struct layout *layout);

#endif
