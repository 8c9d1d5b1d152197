/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * plot - draws series by gnuplot: a panel for each column, one above the other, with a curve for
 * each series of each recording.
 *
 * The number of an interval is drawn as a horizontal line over the interval; an unknown number
 * leaves a gap. The x axis is the time since the beginning of each recording, or the count of
 * another column since that beginning.
 *
 * gnuplot gets a script, data, and titles as arguments. The script has only numbers and texts of
 * tiptop itself. Names of tasks are in the data, names of columns and files in the arguments, so
 * gnuplot never executes a name as a part of the script.
 */
#ifndef COMPARE_PLOT_H
#define COMPARE_PLOT_H

#include "compare/series.h"

#define PLOT_PANELS_MAX 6
#define PLOT_TEXTS      (2 + PLOT_PANELS_MAX) /* title, x axis, y axes: ARG1 and so on */
#define PLOT_DATA_FD    3

struct plot_side {
	/* Sorted by series_list_rank(). It has the columns of the panels and then, unless the x
	 * axis is time, the column of the x axis. */
	const struct series_list *list;
	const char *label; /* the suffix of its curves' names; NULL: none */
};

struct plot_request {
	const struct plot_side *side;
	size_t n_sides;
	const struct column *const *column; /* [n_panels]; counts are per second */
	size_t n_panels;
	const struct column *over; /* the column of the x axis, a count; NULL: time */
	size_t rows;               /* the most curves of each recording */
	const char *title;
	int width, height; /* pixels; 0: default */
	bool svg;          /* else PNG */
};

struct plot {
	struct strbuf script, data, text[PLOT_TEXTS];
	size_t n_texts;
	struct strbuf notes; /* lines about data that could not be drawn */
};

void plot_init(struct plot *p);
void plot_done(struct plot *p);
/* Makes script, data and texts. -ENODATA with a sentence: a panel has no known number. */
int plot_make(struct plot *p, const struct plot_request *r, struct err *err);

#endif
