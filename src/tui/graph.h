/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * graph - paints curves with their axes on a part of the canvas. Pure.
 *
 * A number belongs to a whole interval: it is drawn as a step, from the beginning of the interval
 * to its end. An unknown number leaves a gap. An estimate is drawn thinner: one dot high instead of
 * two in Braille; with every other dot in the styles whose dots are half a cell.
 *
 * A moment is a refresh, numbered from 1 on (model/history.h). The window is the visible part of
 * the horizontal axis; a window that ends at the last moment moves along when data is added. The
 * cursor selects a moment, whose values are shown above the curves; without a cursor, the values of
 * the last moment are shown. The state also records what was painted last, for the functions that
 * keys call.
 */
#ifndef TUI_GRAPH_H
#define TUI_GRAPH_H

#include "base/strbuf.h"
#include "base/unit.h"
#include "tui/canvas.h"
#include "view/curve.h"

/* ---- axis ----
 *
 * The ticks of an axis and their labels. Pure.
 *
 * Ticks are at the multiples of a step. The step of numbers is 1, 2 or 5 times a power of ten (for
 * memory, also times a power of 1024), that of times is some whole seconds, minutes, hours or days
 * of the local time. A label has just enough digits to distinguish it from the next tick, and its
 * unit after it: 1.5, 20M, 40%.
 */

struct axis {
	double low, high; /* the range shown */
	double step;      /* between two ticks */
	enum unit unit;   /* of an axis of numbers */
	double shift_s;   /* of an axis of times: added to get local time in seconds since 1970 */
};

/* Fits an axis of numbers that begins with a tick at or below low and ends with a tick at or above
 * high. most: the maximum number of steps from low to high. */
void axis_fit(struct axis *a, enum unit unit, double low, double high, int most);
/* Fits an axis of numbers from exactly low to exactly high. most: the maximum number of steps. */
void axis_fit_exactly(struct axis *a, enum unit unit, double low, double high, int most);
/* Fits an axis of times from low to high, in seconds. shift_s: see struct axis. most: the maximum
 * number of steps. */
void axis_fit_time(struct axis *a, double low, double high, double shift_s, int most);
/* Returns the first tick at or above low; each further tick is a step after the one before. */
double axis_first_tick(const struct axis *a);
/* Append the label of a tick on an axis of numbers, and on an axis of times. */
void axis_write(const struct axis *a, double tick, struct strbuf *out);
void axis_write_time(const struct axis *a, double tick, struct strbuf *out);

/* ---- dots ----
 *
 * A grid of dots that is finer than the cells of the screen, on which graphs are drawn. Pure.
 *
 * A cell has 2 x 4 dots as a character of Braille, 1 x 2 as a half block, and 1 x 2 as one of the
 * ASCII characters . ' : . If dots in a cell have different looks, the cell has the look that was
 * set last.
 */

enum dots_style { DOTS_BRAILLE, DOTS_BLOCKS, DOTS_ASCII };

struct dots {
	enum dots_style style;
	int columns, lines; /* in cells */
	int width, height;  /* in dots */
	uint8_t *set;       /* [lines][columns]: a bit for each dot of the cell */
	uint8_t *look;      /* [lines][columns]: enum look */
};

/* Returns the finest style that a terminal of this type ($TERM) can show. type NULL: not known;
 * returns DOTS_BRAILLE. */
enum dots_style dots_style_of_terminal(const char *type);

/* ---- graph ---- */

/* The part of the page that the graph takes. */
enum graph_size { GRAPH_PART, GRAPH_WHOLE, GRAPH_NONE, N_GRAPH_SIZES };

struct graph_state {
	enum graph_size size;
	enum dots_style finest; /* the finest style of the terminal */
	double span;            /* width of the window, in units of the axis; 0: everything */
	double end;             /* end of the window; 0: the end of the data */
	uint32_t cursor;        /* a moment; 0: none */
	/* The graph as it was painted last: */
	bool instructions;
	double all_begin, all_end; /* extent of the first curve */
	double low, high;          /* the window */
	uint32_t first, last;      /* the range of moments; last 0: no graph is painted */
	double cursor_at;          /* place of the cursor, else of the last moment, on the axis */
};

/* Returns the number of lines that the graph takes on a page of this height. */
int graph_lines(const struct graph_state *g, const struct curves *curves, int height);
/* Paints the graph on this number of lines, from y on. why: curves->why with the keys of the user.
 */
void graph_paint(struct canvas *c, int y, int lines, struct graph_state *g,
		 const struct curves *curves, const char *why);

/* The functions that keys call; each returns false if nothing changed. */

/* Moves the cursor by this number of moments; a move beyond the last moment turns the cursor
 * off. */
bool graph_move_cursor(struct graph_state *g, int by);
/* Halves or doubles the window around the cursor; without a cursor, around the window's end. */
bool graph_zoom(struct graph_state *g, bool in);
/* Moves the window by half its width, back (-1) or forward (1). */
bool graph_pan(struct graph_state *g, int direction);
/* Shows everything and turns the cursor off. */
bool graph_show_all(struct graph_state *g);

#endif
