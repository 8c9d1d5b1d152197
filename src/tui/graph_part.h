/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * graph_part - what the files of graph have in common.
 */
#ifndef TUI_GRAPH_PART_H
#define TUI_GRAPH_PART_H

#include "tui/axis.h"
#include "tui/graph.h"

/* What is being painted. */
struct graph_painting {
	struct canvas *c;
	struct graph_state *g;
	const struct curves *curves;
	int x, y, width, lines; /* where the curves are, in cells */
	struct axis across, up;
};

/* Sets low and high of the window to what there is. */
void graph_fit_window(struct graph_state *g);
/* graph_axes.c: the lines and ticks around the curves. */
void graph_paint_axes(const struct graph_painting *p);
/* How wide the numbers are that stand left of it. */
int graph_label_width(const struct axis *up);

#endif
