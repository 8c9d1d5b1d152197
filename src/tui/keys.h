/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * keys - dispatches the keys of the live screen to the actions of the table (key_row.h).
 *
 * keys_apply() is pure: it changes the view and the state of the screen, nothing else.
 */
#ifndef TUI_KEYS_H
#define TUI_KEYS_H

#include "screen/screen.h"
#include "tui/key_name.h"
#include "tui/key_row.h"
#include "tui/ui_state.h"
#include "view/view.h"

/* Returns why the action does nothing here; NULL: it works. */
const char *key_refusal(const struct key_row *row, const struct ui_state *ui);

/* Does the action of the key, or says that it has none. Returns the reactions; REACT_NONE if
 * nothing changed. */
unsigned keys_apply(struct ui_state *ui, struct view *view, const struct screen_list *screens,
		    int key);
/* Returns how long after the last key keys_time_out() is due, in ns; 0: nothing is pending. */
uint64_t keys_timeout_ns(const struct ui_state *ui);
/* Handles the end of that time: shows the screen of the digits typed so far; or gives Enter its
 * usual meaning back; or lets the next digit begin a number. Returns the reactions. */
unsigned keys_time_out(struct ui_state *ui, struct view *view, const struct screen_list *screens);
/* Does the action with this name, whatever its keys are, if it works in the open panel. Returns the
 * reactions. */
unsigned keys_do(struct ui_state *ui, struct view *view, const struct screen_list *screens,
		 const char *action);

#endif
