/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * sort - the sort key of rows: the index of a column, or a field beside the columns.
 *
 * The keys, from left to right as in the header: SORT_PID, SORT_USER, 0 to n_columns - 1, n_columns
 * for COMMAND. Numbers are sorted in descending order, texts from A to Z; view.reverse reverses
 * both orders.
 */
#ifndef VIEW_SORT_H
#define VIEW_SORT_H

#include <stdbool.h>

#include "screen/screen.h"

enum { SORT_PID = -2, SORT_USER = -1 };

/* Returns the default key of a screen: its first column that is not text. */
int sort_first(const struct screen *screen);
/* Returns the column of a key; NULL: it is not a column. */
const struct column *sort_column_of(const struct screen *screen, int sort);
/* Returns whether the key is a text. */
bool sort_is_text(const struct screen *screen, int sort);
/* Returns the name of a key in the header. *len: its length; blanks may follow. */
const char *sort_name(const struct screen *screen, int sort, int *len);

/* Returns the name of a key in settings. */
const char *sort_id(const struct screen *screen, int sort);

/*
 * Parses "NAME", "NAME:asc" or "NAME:desc". NAME is a name in the header, an id, or a part of one
 * name only, in any case. Sets *reverse only if a direction is given. If no key has the name, or
 * several have, returns -EINVAL with a sentence and changes nothing.
 */
int sort_parse(const struct screen *screen, const char *text, int *sort, bool *reverse,
	       struct err *err);

/* Finds the column with this id; else the one that sort_find_variable() finds. Returns -ENOENT if
 * there is none. */
int sort_find(const struct screen *screen, const char *id, int variable, int *sort);
/* Finds the first column whose expression is this variable alone, whatever its unit or header.
 * Returns -ENOENT if there is none. */
int sort_find_variable(const struct screen *screen, int variable, int *sort);

#endif
