/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * keys - dispatches the keys of the live screen to the actions of the table (keymap.h).
 *
 * keys_apply() is pure: it changes the view and the state of the screen, nothing else.
 */
#ifndef TUI_KEYS_H
#define TUI_KEYS_H

#include "screen/screen.h"
#include "tui/key.h"
#include "tui/keymap.h"
#include "tui/ui_state.h"
#include "view/view.h"

/* Returns why the action is refused, as with --readonly or in a recording; NULL: it is allowed. */
const char *key_refusal(const struct key_row *row, const struct ui_state *ui);

/* Does the action of the key, or says that the key has none. Returns the reactions (enum reaction);
 * REACT_NONE if nothing changed. */
unsigned keys_apply(struct ui_state *ui, struct view *view, const struct screen_list *screens,
		    int key);
/* Returns how long after the last key keys_time_out() must be called, in ns; 0: it need not be
 * called. */
uint64_t keys_timeout_ns(const struct ui_state *ui);
/* Handles the end of the time that keys_timeout_ns() returns: shows the screen whose number is the
 * digits typed so far; or ends the time in which Enter is ignored after a screen number; or ends
 * the time in which a further digit extends the last screen number. Returns the reactions (enum
 * reaction). */
unsigned keys_time_out(struct ui_state *ui, struct view *view, const struct screen_list *screens);
/* Does the action with this name, whatever its keys are, if it works in the open panel. Returns the
 * reactions (enum reaction). */
unsigned keys_do(struct ui_state *ui, struct view *view, const struct screen_list *screens,
		 const char *action);

#endif
