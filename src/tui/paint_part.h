/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * paint_part - the parts of the live screen, from top to bottom, each of which paints its own
 * lines. Shared by paint.c, which chooses the visible parts, and the files that paint single parts.
 */
#ifndef TUI_PAINT_PART_H
#define TUI_PAINT_PART_H

#include "tui/canvas.h"
#include "tui/ui_state.h"

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

/* The functions of PART_METERS, in meters.c. */
int part_meter_lines(const struct picture *p);
void part_paint_meters(const struct picture *p, int y, int n);

#endif
