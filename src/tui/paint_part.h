/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * paint_part - the parts of the live screen, from top to bottom, each of which paints its own
 * lines; shared by paint.c, which says which of them are there, and the files that paint them.
 */
#ifndef TUI_PAINT_PART_H
#define TUI_PAINT_PART_H

#include "tui/canvas.h"
#include "tui/keys.h"
#include "tui/live.h"

/* What is painted, and where. */
struct picture {
	struct canvas *c;
	struct ui_state *ui;
	const struct frame *frame;
	const struct live_info *info;
	bool has_tabs;  /* the screens have a line of their own */
	bool has_title; /* and so have the load, what is switched on, and the user */
	bool as_chosen; /* each part that the user has not hidden is there, however low it is */
};

/* From so many lines on, a screen has all parts. Below, at most one line of each is above the
 * table, so that nearly all of 24 lines are tasks, where the user has not chosen parts. */
#define PART_ALL_HEIGHT 30

struct part {
	int min_height; /* it is there from so many lines of the screen on, or as_chosen */
	/* How many lines it takes; NULL: one. */
	int (*lines)(const struct picture *p);
	/* Paints the lines [y, y + n). */
	void (*paint)(const struct picture *p, int y, int n);
};

/* meters.c */
int part_meter_lines(const struct picture *p);
void part_paint_meters(const struct picture *p, int y, int n);

#endif
