/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * plot_sides - what a plot is made of: parts of recordings, the columns that are drawn, and their
 * series.
 *
 *   plot_sides_parse(); plot_sides_open(); plot_sides_choose(); plot_sides_gather();
 *   plot_sides_done() in any case
 *
 * Errors: -errno with a sentence; -EINVAL: a mistake of the user.
 */
#ifndef CMD_PLOT_SIDES_H
#define CMD_PLOT_SIDES_H

#include "compare/columns.h"
#include "compare/plot.h"
#include "session/replay_series.h"

#define PLOT_SIDES_MAX OPTION_WORDS_MAX

struct plot_sides {
	struct selection selection[PLOT_SIDES_MAX];
	struct gathering gathering[PLOT_SIDES_MAX];
	struct series_list list[PLOT_SIDES_MAX];
	size_t n_words, n_open, n_lists;
	/* Of the first one's screen; where the axis is a column, it is the last one. */
	struct columns columns;
	const struct column *column[PLOT_PANELS_MAX + 1];
	size_t n_panels;
};

/* Reads the words of the command line. */
int plot_sides_parse(struct plot_sides *s, const struct option_list *arguments, struct err *err);
int plot_sides_open(struct plot_sides *s, const struct gathering_choice *choice, struct err *err);
/* columns: as columns_find() takes it; NULL: the first one. axis: a column that counts; NULL: time.
 */
int plot_sides_choose(struct plot_sides *s, const char *columns, const char *axis, struct err *err);
/* Says what there is to say of the recordings. */
int plot_sides_gather(struct plot_sides *s, struct err *err);
void plot_sides_done(struct plot_sides *s);

#endif
