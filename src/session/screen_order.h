/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * screen_order - the order of the screens, and which of them have no tab, as the option "screens"
 * says.
 *
 * Its text is names with ',' between them. Screens stand in the order of the names; those that it
 * does not name follow, in the order of their numbers, which they keep. One behind '-' is left out:
 * it goes to the hidden ones (screen.left_out), from where it comes back when the text is another
 * one.
 */
#ifndef SESSION_SCREEN_ORDER_H
#define SESSION_SCREEN_ORDER_H

#include "session/setup.h"

/* Whether each name of the text is that of a screen, shown or hidden. -EINVAL with a sentence. */
int screen_order_check(const struct setup *s, const char *text, struct err *err);
/* Returns the lowest number that no screen has, shown or hidden. */
int screen_order_free_number(const struct setup *s);
/* Adds a screen, by its number; one without a number gets the next free one. *at is its index then.
 * -EINVAL with a sentence where the option leaves it out. */
int screen_order_add(struct setup *s, struct screen *screen, size_t *at, struct err *err);
/* Adds a screen that is not for this machine to the hidden ones: it has a tab, but is passed over.
 */
void screen_order_add_hidden(struct setup *s, struct screen *screen);
/* Shows such a screen all the same: it goes to the others. Returns its index; -1: there is none of
 * this number that has a tab. */
int screen_order_show_hidden(struct setup *s, int number);
/* Takes a screen out of the list. -EBUSY with a sentence where it is recorded; where it was shown,
 * the first one is. */
int screen_order_remove(struct setup *s, size_t screen, struct err *err);
/* Takes a name out of the option. Returns the text that it had, which the caller owns; NULL: the
 * name was not in it. */
char *screen_order_forget(struct setup *s, const char *name);
/* Puts the screens in the order of the option. Whatever points to a screen by its index still
 * means the same one. started: there is a present one, which cannot be left out, nor can all be.
 * -EINVAL with a sentence, and nothing is changed. */
int screen_order_apply(struct setup *s, bool started, struct err *err);

#endif
