/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * screen_change - changes screens for the setup page (tui/setup_page.h): replaces the current
 * screen by a changed one, lists the available columns, and tests typed expressions.
 *
 * A changed screen is declared, compiled and fitted like any other. It then belongs to the user's
 * own screens (setup.own_screens), which the key W writes; there it replaces a built-in screen or
 * one of an additional file. The old screen is kept until the end, as frames and outputs may still
 * point to it.
 */
#ifndef SESSION_SCREEN_CHANGE_H
#define SESSION_SCREEN_CHANGE_H

#include "session/setup.h"
#include "tui/setup_page.h"

/* Puts the declared screen into its place in the list, and the old one into *change; or adds it and
 * shows it, and *change then removes it. So each change can be undone by the new *change. -EINVAL,
 * -ENOENT, -EBUSY with a sentence: not possible, and nothing is changed. */
int change_screen(struct setup *s, struct setup_change *change, struct err *err);
/* Fills s->choices: the columns of the other screens, of facts, and of events with names in
 * tiptop's tables. */
void change_find_choices(struct setup *s);
/* Updates the element numbers of screens after the key W. */
void change_follow_file(struct setup *s);
/* Implements the test function of struct setup_trial; context: the setup. */
int change_try(void *context, const struct screen *declared, size_t column,
	       const struct frame *frame, const struct frame_row *row, struct strbuf *out,
	       struct err *err);

#endif
