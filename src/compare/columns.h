/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * columns - the columns of a screen that are asked for by their names.
 */
#ifndef COMPARE_COLUMNS_H
#define COMPARE_COLUMNS_H

#include "base/err.h"
#include "screen/screen.h"

struct columns {
	size_t *v; /* of the screen */
	size_t n, cap;
};

/* Finds the columns of a list "ipc,%CPU", ids or headers in its order; NULL: all whose numbers are
 * amounts: not those that are states without a unit, such as the CPU on which a task ran last.
 * -EINVAL with a sentence: there is none of that name, it is one of texts, or it is named twice. */
int columns_find(struct columns *out, const char *list, const struct screen *screen,
		 struct err *err);
void columns_done(struct columns *c);

#endif
