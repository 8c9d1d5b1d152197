/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * screen_change - what the page of tui/setup_page.h needs of the machine: it puts a changed screen
 * into the place of the present one, says what there is to be taken, and tries out what is typed.
 *
 * A changed screen is declared, compiled and fitted like any other. It is then one of the user's
 * own (setup.own_screens), which the key W writes; one that is built in, or of a file that only
 * adds, is replaced by it there. The screen that was shown before is kept until the end: frames and
 * outputs may still point to it.
 */
#ifndef SESSION_SCREEN_CHANGE_H
#define SESSION_SCREEN_CHANGE_H

#include "session/setup.h"
#include "tui/setup_page.h"

/* Puts the screen, which is declared, into its place in the list; the one that was there takes its
 * place in *change. Or adds it, and shows it; *change then takes it away again. -EINVAL, -ENOENT,
 * -EBUSY with a sentence where that cannot be, and nothing is changed. */
int change_screen(struct setup *s, struct setup_change *change, struct err *err);
/* Makes s->choices: the columns of the other screens, of facts, and of the events that tiptop has
 * names for. */
void change_find_choices(struct setup *s);
/* After the key W: the screens have the numbers of what was written. */
void change_follow_file(struct setup *s);
/* As struct setup_trial has it; context: the setup. */
int change_try(void *context, const struct screen *declared, size_t column,
	       const struct frame *frame, const struct frame_row *row, struct strbuf *out,
	       struct err *err);

#endif
