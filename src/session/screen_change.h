/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * screen_change - changes the list of screens: its order, as the option "screens" says, and for the
 * setup page (tui/setup_page.h) the screens themselves: replaces the current screen by a changed
 * one, lists the available columns, and tests typed expressions.
 *
 * A changed screen is declared, compiled and fitted like any other screen. It then belongs to the
 * user's own screens (setup.own_screens), which the key W writes, and replaces the built-in screen
 * or the screen of an additional file that it was made from. The old screen is kept until the end,
 * as frames and outputs may still point to it.
 */
#ifndef SESSION_SCREEN_CHANGE_H
#define SESSION_SCREEN_CHANGE_H

#include "session/setup.h"
#include "tui/setup_page.h"

/* ---- order ----
 *
 * The option "screens" is a list of names, separated by ','. The named screens come first, in the
 * order of the names; the other screens follow in the order of their numbers, which never change. A
 * screen whose name follows a '-' is left out: it moves to the hidden screens (screen.left_out),
 * and returns when the option changes.
 */

/* Checks that each name of the text is a screen, shown or hidden. Returns 0, or -EINVAL with a
 * sentence. */
int screen_order_check(const struct setup *s, const char *text, struct err *err);
/* Returns the lowest number that no shown or hidden screen has. */
int screen_order_free_number(const struct configuration *config);
/* Adds a screen that this machine cannot fill to the hidden ones: its tab is dim, and arrow keys
 * skip it. */
void screen_order_add_hidden(struct configuration *config, struct screen *screen);
/* Moves a screen that this machine cannot fill, but that has a tab, from the hidden screens to the
 * shown ones. Returns its index; -1: no such screen has this number. */
int screen_order_show_hidden(struct setup *s, int number);
/* Sorts the screens by the option, and updates all indices of screens. started: there is a current
 * screen, which must not be left out. At least one screen must stay. Returns 0, or -EINVAL with a
 * sentence and without a change. */
int screen_order_apply(struct setup *s, bool started, struct err *err);

/* ---- changes by the setup page ---- */

/* Replaces, adds or removes a screen, as *change says; an added screen is shown. Then sets *change
 * to the opposite change, which undoes this one. -EINVAL, or -EBUSY if the screen is recorded, with
 * a sentence: not possible, and nothing is changed. */
int change_screen(struct setup *s, struct setup_change *change, struct err *err);
/* Fills config.choices with the columns that can be added: those of the other screens, one for each
 * variable of expressions, and one for each event that has a name in tiptop's tables. */
void change_find_choices(struct setup *s);
/* Updates the element numbers (conf/xml.h) of the screens after the key W has written the file. */
void change_follow_file(struct configuration *config);
/* Implements the function of struct setup_trial that tests a typed column; context: the setup.
 * Appends the column's value for the row; -EINVAL if the column does not compile. */
int change_try(void *context, const struct screen *declared, size_t column,
	       const struct frame *frame, const struct frame_row *row, struct strbuf *out,
	       struct err *err);

#endif
