/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * screen_merge - where the screens of users' files stand among the built-in ones.
 *
 * A screen is called by its number (-S, keys), which scripts use. That of a built-in one is
 * declared with it (config/screens/). Those of the user's own file get the next free ones in their
 * order, and behind them those of the files that only add; so they do whether this machine can show
 * them or not.
 *
 * A screen that says so takes the place and the number of the one of its name. Another one of the
 * own file may have a name that is there already, as in 2.3.1; of a file that only adds, it is left
 * out.
 */
#ifndef SESSION_SCREEN_MERGE_H
#define SESSION_SCREEN_MERGE_H

#include "screen/screen.h"

struct placing {
	struct screen_list built_in, own, added;
};

/* Begins with all built-in screens, declared; with none where built_in is not set. */
void placing_init(struct placing *p, bool built_in);
void placing_done(struct placing *p);

/* Takes over the screens of the list, in their order; an empty list is left. A screen that is left
 * out is reported with both places, with line 0. */
void placing_add(struct placing *p, struct screen_list *from, screen_report report, void *context);
/* Gives the screens of users their numbers, once all are there. */
void placing_number(struct placing *p);

#endif
