/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * fit - chooses what a terminal shows of a report: as many columns and rows as fit, the most
 * important ones first.
 *
 * Columns are added in the order of their ranks (record.h), up to the first one that does not fit;
 * columns without any value are left out. To let more columns fit, texts are cut down to a fifth of
 * the width (FIT_TEXT); the width that remains in the end widens them again.
 */
#ifndef REPORT_FIT_H
#define REPORT_FIT_H

#include <stdbool.h>
#include <stddef.h>

#include "base/strbuf.h"

/* Columns of texts keep at least 1/FIT_TEXT of the width, and at least FIT_TEXT_MIN characters. */
#define FIT_TEXT     5
#define FIT_TEXT_MIN 8
/* Each block of rows shows at least this many rows, even if they do not fit. */
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
/* Returns the maximum number of rows to show of each block. n_rows: the rows of each of the n
 * blocks; room: the number of lines for all blocks. */
size_t fit_rows(const size_t n_rows[], size_t n, int room);
/* Appends a text, cut to `width` characters: ".." replaces its middle, as names of functions differ
 * at both ends. */
void fit_cut(struct strbuf *out, const char *text, int width);
/* Appends lines. Breaks those that are wider than `width` at blanks, and begins each further line
 * with "#     ". */
void fit_wrap(struct strbuf *out, const char *lines, int width);

#endif
