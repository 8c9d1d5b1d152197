/* SPDX-License-Identifier: GPL-2.0-or-later */
/* part of graph: the window and the cursor, as keys move them. */
#include <math.h>

#include "tui/graph_part.h"

/* The window is not narrower than this part of all. */
#define NARROWEST 1e-4

static double clamp(double x, double low, double high)
{
	return x < low ? low : x > high ? high : x;
}

void graph_fit_window(struct graph_state *g)
{
	const double all = g->all_end - g->all_begin;

	if (!(g->span > 0) || g->span > all)
		g->span = 0;
	g->high = g->span > 0 && g->end > 0 ? clamp(g->end, g->all_begin + g->span, g->all_end)
					    : g->all_end;
	g->low = g->span > 0 ? g->high - g->span : g->all_begin;
	if (g->high >= g->all_end)
		g->end = 0;
}

static bool show(struct graph_state *g, double low, double high)
{
	const double old_low = g->low, old_high = g->high;

	g->span = high - low;
	g->end = high;
	graph_fit_window(g);
	return fabs(g->low - old_low) > 0 || fabs(g->high - old_high) > 0;
}

bool graph_move_cursor(struct graph_state *g, int by)
{
	const uint32_t old = g->cursor;
	const int64_t from = old ? old : (int64_t)g->last + (by > 0);

	if (!g->last)
		return false;
	/* Behind the last one there is none. */
	g->cursor = from + by > (int64_t)g->last
			    ? 0
			    : (uint32_t)(from + by < (int64_t)g->first ? g->first : from + by);
	return g->cursor != old;
}

bool graph_zoom(struct graph_state *g, bool in)
{
	const double span = (g->high - g->low) * (in ? 0.5 : 2), all = g->all_end - g->all_begin;
	/* What stays at its place. */
	const double at = g->cursor ? clamp(g->cursor_at, g->low, g->high) : g->high;
	const double part = g->high > g->low ? (at - g->low) / (g->high - g->low) : 1;

	if (!g->last || (in && span < all * NARROWEST))
		return false;
	return show(g, at - part * span, at + (1 - part) * span);
}

bool graph_pan(struct graph_state *g, int direction)
{
	const double by = direction * (g->high - g->low) / 2;

	return g->last && show(g, g->low + by, g->high + by);
}

bool graph_show_all(struct graph_state *g)
{
	const bool changed = g->span > 0 || g->cursor;

	g->span = g->end = 0;
	g->cursor = 0;
	return changed;
}
