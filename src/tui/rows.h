/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * rows - paints the table of the live screen: the names of the columns, and a line for each row, or
 * the reason why there is no row. Cut texts end with a mark. Pure.
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

/* Returns the maximum of `top` and of the known values. */
double spark_top(const struct value *v, size_t n, double top);
/* Paints n bars from column x on. */
void spark_put(struct canvas *c, int x, int y, uint8_t look, const struct value *v, size_t n,
	       double top);

/* ---- rows ---- */

/* Paints the names of the columns, and adds the places of the names to hits. */
void rows_paint_header(struct canvas *c, int y, const struct frame *frame,
		       const struct layout *layout, struct hits *hits);
/* Paints the visible rows from line y on; if there is no row, paints the reason. Returns the
 * MARK_BIT()s of the marks that were painted. */
unsigned rows_paint(struct canvas *c, int y, const struct frame *frame, const struct layout *layout,
		    const struct scroll *rows);
/* Paints the row of totals; frame->total must not be NULL. Returns the MARK_BIT()s of the marks
 * that were painted. */
unsigned rows_paint_total(struct canvas *c, int y, const struct frame *frame,
			  const struct layout *layout);

#endif
