/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * graph - curves with their axes on a part of the canvas. Pure.
 *
 * A number is that of a whole interval: it is drawn as a step, from the beginning of the interval
 * to its end. Where there is none is a gap. An estimate is drawn thinner: with dots half as high,
 * or where these are as large as half a cell, with every other one.
 *
 * The window is what is seen of the axis; where it ends with what is there, it goes along when
 * more comes. The cursor stands on a moment, and what the curves were then stands above them; else
 * that is the last one. The state remembers what was painted last, since keys go by that.
 */
#ifndef TUI_GRAPH_H
#define TUI_GRAPH_H

#include "tui/canvas.h"
#include "tui/dots.h"
#include "view/curve.h"

/* How much of the page it takes. */
enum graph_size { GRAPH_PART, GRAPH_WHOLE, GRAPH_NONE, N_GRAPH_SIZES };

struct graph_state {
	enum graph_size size;
	enum dots_style finest; /* that the terminal has */
	double span;            /* of the window, on the axis; 0: all that there is */
	double end;             /* of the window; 0: the end of all */
	uint32_t cursor;        /* a moment; 0: none */
	/* As it was painted last: */
	bool instructions;
	double all_begin, all_end; /* of the first curve */
	double low, high;          /* of the window */
	uint32_t first, last;      /* moments; 0: there are none */
	double cursor_at;          /* on the axis */
};

/* How many lines of a page of this height it takes. */
int graph_lines(const struct graph_state *g, const struct curves *curves, int height);
/* Paints it on so many lines, from y on. */
void graph_paint(struct canvas *c, int y, int lines, struct graph_state *g,
		 const struct curves *curves);

/* What keys do. False: nothing has changed. */
bool graph_move_cursor(struct graph_state *g, int by);
/* Shows half as much, or twice, around the cursor; else at the end of the window. */
bool graph_zoom(struct graph_state *g, bool in);
/* Goes half a window back or on. */
bool graph_pan(struct graph_state *g, int direction);
bool graph_show_all(struct graph_state *g);

#endif
