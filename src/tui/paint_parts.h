/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * paint_parts - the parts of the live screen, from top to bottom, each of which paints its own
 * lines: here the table with its rows, and the meters; the others are in paint.c, which chooses the
 * visible parts.
 */
#ifndef TUI_PAINT_PARTS_H
#define TUI_PAINT_PARTS_H

#include "base/value.h"
#include "tui/canvas.h"
#include "tui/ui_state.h"
#include "view/frame.h"

/* The canvas, and the data to paint. */
struct picture {
	struct canvas *c;
	struct ui_state *ui;
	const struct frame *frame;
	const struct live_info *info;
	bool has_tabs;  /* the tabs have a line of their own */
	bool has_title; /* the title has a line of its own, or the user has hidden it */
	bool as_chosen; /* the user has chosen parts: all of them are shown on any height */
};

/* From this height on, a screen shows all parts. On a lower screen, unless the user has chosen
 * parts, each part above the table but the note takes at most one line, so that most of 24 lines
 * show tasks. */
#define PART_ALL_HEIGHT 30

struct part {
	int min_height; /* the part is left out on a lower screen, unless as_chosen is set */
	/* Returns the number of lines that the part takes; NULL: one. */
	int (*lines)(const struct picture *p);
	/* Paints the lines [y, y + n). */
	void (*paint)(const struct picture *p, int y, int n);
};

/* The functions of PART_METERS: the use of CPUs and memory, as bars. */
int part_meter_lines(const struct picture *p);
void part_paint_meters(const struct picture *p, int y, int n);

/* ---- rows ----
 *
 * Paints the table of the live screen: the names of the columns, and a line for each row, or the
 * reason why there is no row. Cut texts end with a mark. Pure.
 */

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
/* Paints the visible rows from line y on; if there is no row, paints the reason, with the
 * keys of keymap. Returns the MARK_BIT()s of the marks that were painted. */
unsigned rows_paint(struct canvas *c, int y, const struct frame *frame, const struct layout *layout,
		    const struct scroll *rows, const struct keymap *keymap);
/* Paints the row of totals; frame->total must not be NULL. Returns the MARK_BIT()s of the marks
 * that were painted. */
unsigned rows_paint_total(struct canvas *c, int y, const struct frame *frame,
			  const struct layout *layout);

#endif
