/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * placing - where the screens of users' files stand among the built-in ones.
 *
 * Their order is that of the numbers of -S, which scripts use: those of tiptop 2.3.1, then those of
 * the user's own file, then the other built-in ones; those of the files that only add come last.
 *
 * A screen that says so takes the place of the one of its name. Another one of the own file may
 * have a name that is there already, as in 2.3.1; of a file that only adds, it is left out.
 */
#ifndef APP_PLACING_H
#define APP_PLACING_H

#include "screen/screen.h"

struct placing {
	struct screen_list first, own, last, added;
};

/* Begins with all built-in screens, declared; with none where built_in is not set. */
void placing_init(struct placing *p, bool built_in);
void placing_done(struct placing *p);

/* Takes over the screens of the list, in their order; an empty list is left. A screen that is left
 * out is reported with both places, with line 0. */
void placing_add(struct placing *p, struct screen_list *from, screen_report report, void *context);

#endif
