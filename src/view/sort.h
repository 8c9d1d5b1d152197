/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * sort - by what rows are sorted: the number of a column of the screen, or what stands
 * beside the columns.
 *
 * From left to right, as in the header: SORT_PID, SORT_USER, 0 to n_columns - 1, n_columns for
 * COMMAND. Numbers are sorted from the largest to the smallest, texts from A to Z; view.reverse
 * turns that round.
 */
#ifndef VIEW_SORT_H
#define VIEW_SORT_H

#include <stdbool.h>

#include "screen/screen.h"

enum { SORT_PID = -2, SORT_USER = -1 };

/* What a screen is sorted by at first: its first column that is no text. */
int sort_first(const struct screen *screen);
/* The column of the screen that sorts, or NULL: it is none of the screen's. */
const struct column *sort_column_of(const struct screen *screen, int sort);
/* Whether rows are sorted by a text. */
bool sort_is_text(const struct screen *screen, int sort);
/* The name in the header of what sorts. *len: where the name ends; blanks may follow. */
const char *sort_name(const struct screen *screen, int sort, int *len);

/* What settings call it. */
const char *sort_id(const struct screen *screen, int sort);

/*
 * Reads "NAME", "NAME:asc" or "NAME:desc". NAME is what the header says, or the id, or a part of
 * the header that nothing else has, in capital or small letters. *reverse is changed only where
 * the direction is given. -EINVAL with a sentence, and nothing changed, where nothing has that
 * name, or several have.
 */
int sort_parse(const struct screen *screen, const char *text, int *sort, bool *reverse,
	       struct err *err);

/* The column of this id; else the first that is this variable and nothing else, whatever its unit
 * or header; -ENOENT: there is none. */
int sort_find(const struct screen *screen, const char *id, int variable, int *sort);
/* Finds the first column that shows this variable and nothing else, whatever its unit or header.
 * -ENOENT: there is none. */
int sort_find_variable(const struct screen *screen, int variable, int *sort);

#endif
