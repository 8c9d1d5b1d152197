/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * built_in - the built-in screens. They are in config/screens/, in the XML that users write; the
 * build turns them into tables.
 *
 * "default" and "branch" are the screens of tiptop 2.3.1, with its headers and formats, on which
 * scripts depend. Scripts also depend on the numbers of screens: a screen keeps its number in all
 * later versions, on any CPU and whatever screens the user adds.
 */
#ifndef SCREEN_BUILT_IN_H
#define SCREEN_BUILT_IN_H

#include "screen/screen.h"

/* The attributes of a <counter>; NULL: the attribute is absent. */
struct counter_row {
	const char *alias, *event, *arch, *model;
};

/* The attributes of a <column>; NULL: the attribute is absent. */
struct column_row {
	const char *id, *header, *format, *unit, *expr, *desc;
	bool optional;
	int priority; /* 0: absent */
	const char *warn, *crit;
};

struct screen_row {
	int number;
	const char *name, *desc, *needs, *rows;
	bool idle;
	const struct counter_row *counter;
	size_t n_counters;
	const struct column_row *column;
	size_t n_columns;
};

/* All built-in screens, sorted by number. */
extern const struct screen_row *const screen_built_in;
extern const size_t screen_built_in_n;

/* Appends the built-in screens with indices in [from, to), declared but not compiled. */
void screen_list_add_built_in(struct screen_list *l, size_t from, size_t to);

#endif
