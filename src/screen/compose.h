/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * compose - changes the columns of a declared screen: takes those of other screens, or new ones,
 * together with the counters that they name. Pure.
 *
 * What is declared is plain data; whoever changes it has it compiled anew.
 */
#ifndef SCREEN_COMPOSE_H
#define SCREEN_COMPOSE_H

#include "screen/screen.h"

/* Takes column i of another screen, to stand at place `at`. -EEXIST with a sentence where a counter
 * that it names has the name of another one of the screen. */
int compose_copy(struct screen *s, size_t at, const struct screen *from, size_t i, struct err *err);
/* Adds a column of this expression at place `at`; the counters that it names and the screen does
 * not have are those of the first of the others that has them. -EINVAL with a sentence for a name
 * or an expression that is empty. */
int compose_add(struct screen *s, size_t at, const char *header, const char *text,
		const struct screen_list *others, struct err *err);
/* Gives column i another expression, and perhaps another name; its description goes. */
int compose_change(struct screen *s, size_t i, const char *header, const char *text,
		   const struct screen_list *others, struct err *err);
/* Takes a column away, and the counters that it alone names. */
void compose_drop(struct screen *s, size_t i);
/* Puts a column to another place. */
void compose_move(struct screen *s, size_t from, size_t to);
/* Whether the screen has this column: the same header, and the same expression. */
bool compose_has(const struct screen *s, const struct column *c);
/* Whether it has column i of another screen, of the same counters. */
bool compose_has_all(const struct screen *s, const struct screen *from, size_t i);

#endif
