/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * columns - finds the columns of a screen by their names.
 */
#ifndef COMPARE_COLUMNS_H
#define COMPARE_COLUMNS_H

#include "base/err.h"
#include "screen/screen.h"

struct columns {
	size_t *v; /* indices in the screen */
	size_t n, cap;
};

/* Finds the columns of a list of ids or headers, such as "ipc,%CPU", in the order of the list. list
 * NULL: finds all columns of numbers, except states without a unit, such as the CPU on which a task
 * last ran. -EINVAL with a sentence: a name is unknown, is that of a column of texts, or occurs
 * twice. */
int columns_find(struct columns *out, const char *list, const struct screen *screen,
		 struct err *err);
void columns_done(struct columns *c);

#endif
