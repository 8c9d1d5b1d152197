/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * compose - changes the columns of a declared screen: copies them from other screens, or adds new
 * ones, with the counters that they use. Pure.
 *
 * A declared screen is plain data; after a change, the caller has to compile it again.
 */
#ifndef SCREEN_COMPOSE_H
#define SCREEN_COMPOSE_H

#include "screen/screen.h"

/* Copies column i of another screen to index `at`. Returns -EEXIST with a sentence if the screen
 * has another counter with the name of one that the column uses. */
int compose_copy(struct screen *s, size_t at, const struct screen *from, size_t i, struct err *err);
/* Adds a column with this expression at index `at`. A counter that it uses and the screen lacks is
 * copied from the first screen of `others` that has it; others NULL: none is copied. Returns
 * -EINVAL with a sentence if the header or the expression is empty. */
int compose_add(struct screen *s, size_t at, const char *header, const char *text,
		const struct screen_list *others, struct err *err);
/* Changes the expression and the header of column i, and drops its description. Copies counters
 * and fails as compose_add() does. */
int compose_change(struct screen *s, size_t i, const char *header, const char *text,
		   const struct screen_list *others, struct err *err);
/* Removes column i, and the counters that only this column used. */
void compose_drop(struct screen *s, size_t i);
/* Moves a column to another index. */
void compose_move(struct screen *s, size_t from, size_t to);
/* Returns whether the screen has a column with the same header and the same expression. */
bool compose_has(const struct screen *s, const struct column *c);
/* Returns whether the screen has column i of another screen, and the same declarations of the
 * counters that this column uses. */
bool compose_has_all(const struct screen *s, const struct screen *from, size_t i);

#endif
