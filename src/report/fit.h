/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * fit - chooses what a terminal shows of a report: as many columns and rows as fit, the most
 * important ones first.
 *
 * A column without any value is left out, and so are the columns after the first one that does not
 * fit, in the order of their ranks (column.h). Texts get narrower before a column is left out, down
 * to a fifth of the width (FIT_TEXT); the width that then remains widens them again.
 */
#ifndef REPORT_FIT_H
#define REPORT_FIT_H

#include <stdbool.h>
#include <stddef.h>

#include "base/strbuf.h"

/* Texts are not cut to less than this part of the width, and to no less than FIT_TEXT_MIN. */
#define FIT_TEXT     5
#define FIT_TEXT_MIN 8
/* Each block of rows shows at least this many, even if they do not fit. */
#define FIT_ROWS 8

struct fit_column {
	int width;    /* of the widest cell, the heading included; set to the width to show */
	int rank;     /* as in report_column */
	bool is_text; /* cells may be cut */
	bool empty;   /* no cell has a value */
	bool shown;   /* the result */
	int wanted;   /* private to fit.c */
};

/* Sets `shown` and `width` of the n columns, which are separated by blanks. */
void fit_columns(struct fit_column *column, size_t n, int width);
/* Returns the number of rows to show of each block; n_rows: the rows of each of the n blocks. room:
 * the lines for all blocks. */
size_t fit_rows(const size_t n_rows[], size_t n, int room);
/* Appends a text cut to `width` characters: ".." stands for its middle, as names of functions
 * differ at both ends. */
void fit_cut(struct strbuf *out, const char *text, int width);
/* Appends lines; those that are wider than `width` are broken at blanks, and their further lines
 * begin with "#     ". */
void fit_wrap(struct strbuf *out, const char *lines, int width);

#endif
