/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * plot_part - what the files of plot have in common: in which steps the axes are.
 */
#ifndef COMPARE_PLOT_PART_H
#define COMPARE_PLOT_PART_H

#include "compare/plot.h"

struct plot_scale {
	double x; /* numbers are divided by these, so that those at the ticks are short */
	const char *x_unit;
	double x_max; /* in such steps */
	double y[PLOT_PANELS_MAX];
	const char *y_unit[PLOT_PANELS_MAX];
	double y_max[PLOT_PANELS_MAX], y_min[PLOT_PANELS_MAX];
};

void plot_find_scale(struct plot_scale *out, const struct plot_request *r);
void plot_add_texts(struct plot *p, const struct plot_request *r, const struct plot_scale *scale);
void plot_add_script(struct strbuf *out, const struct plot_request *r,
		     const struct plot_scale *scale, size_t n_curves);

#endif
