/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * plot - series as a picture that gnuplot draws: a panel for each column, one above the other, with
 * a curve for each series of each recording.
 *
 * A number is of an interval, and drawn as a step of its width; where none is known there is a gap.
 * The axis is time since the begin of each recording, or what another column has counted since
 * then.
 *
 * What gnuplot gets: a script, in which there are only numbers and texts of our own; data; and
 * titles of axes as arguments. Names of tasks are in the data, those of columns and files in the
 * arguments: none of them is ever read as a script.
 */
#ifndef COMPARE_PLOT_H
#define COMPARE_PLOT_H

#include "compare/series.h"

#define PLOT_PANELS_MAX 6
#define PLOT_TEXTS      (2 + PLOT_PANELS_MAX) /* title, x axis, y axes: ARG1 and so on */
#define PLOT_DATA_FD    3

struct plot_side {
	/* Ranked; its columns are those of the panels, and behind them that of the axis. */
	const struct series_list *list;
	const char *label; /* what its curves are called beside their own names; NULL: nothing */
};

struct plot_request {
	const struct plot_side *side;
	size_t n_sides;
	const struct column *const *column; /* [n_panels]; counts are per second */
	size_t n_panels;
	const struct column *over; /* of the axis, a count; NULL: time */
	size_t rows;               /* curves of each recording at most */
	const char *title;
	int width, height; /* 0: as it fits */
	bool svg;          /* else PNG */
};

struct plot {
	struct strbuf script, data, text[PLOT_TEXTS];
	size_t n_texts;
	struct strbuf notes; /* lines: what could not be drawn, and why */
};

void plot_init(struct plot *p);
void plot_done(struct plot *p);
/* -ENODATA with a sentence: of some panel, no number is known. */
int plot_make(struct plot *p, const struct plot_request *r, struct err *err);

#endif
