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

#include "base/strbuf.h"
#include "base/unit.h"
#include "tui/canvas.h"
#include "view/curve.h"

/* ---- axis ----
 *
 * Where an axis of a graph has its ticks, and what is written at them. Pure.
 *
 * Ticks of numbers are at 1, 2 or 5 times a power of ten (of two for memory), those of times at
 * whole seconds, minutes, hours or days of the local time. A number has no more digits than it
 * takes to tell it from the next tick, and its unit behind it: 1.5, 20M, 40%.
 */

struct axis {
	double low, high; /* what it shows */
	double step;      /* between two ticks */
	enum unit unit;   /* of numbers */
	double shift_s;   /* of times: what makes them local times since 1970 */
};

/* From a tick at low or below to one at high or above, with so many steps at most. */
void axis_fit(struct axis *a, enum unit unit, double low, double high, int most);
/* The ticks of numbers, but it shows exactly what is between low and high. */
void axis_fit_exactly(struct axis *a, enum unit unit, double low, double high, int most);
/* The same of times in seconds. */
void axis_fit_time(struct axis *a, double low, double high, double shift_s, int most);
/* The first tick at low or behind it; each step further is another one. */
double axis_first_tick(const struct axis *a);
/* Appends what is written at a tick. */
void axis_write(const struct axis *a, double tick, struct strbuf *out);
void axis_write_time(const struct axis *a, double tick, struct strbuf *out);

/* ---- dots ----
 *
 * A grid of dots that is finer than the cells of the screen: what graphs are drawn with.
 * Pure.
 *
 * A cell has 2 x 4 dots as a character of Braille, 1 x 2 as a half block, and 1 x 2 as one of the
 * characters . ' : that any terminal has. Of two looks in one cell, the later one stays.
 */

enum dots_style { DOTS_BRAILLE, DOTS_BLOCKS, DOTS_ASCII };

struct dots {
	enum dots_style style;
	int columns, lines; /* of cells */
	int width, height;  /* of dots */
	uint8_t *set;       /* [lines][columns] bits */
	uint8_t *look;
};

/* What a terminal of this type has characters for; NULL: nothing is known of it. */
enum dots_style dots_style_of_terminal(const char *type);

/* ---- graph ---- */

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
