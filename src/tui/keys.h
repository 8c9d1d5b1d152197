/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * keys - dispatches the keys of the live screen to the actions of the table (keymap.h), turns
 * events of the mouse into actions, and paints the help, which lists the keys.
 *
 * keys_apply() is pure: it changes the view and the state of the screen, nothing else.
 */
#ifndef TUI_KEYS_H
#define TUI_KEYS_H

#include <stdint.h>

#include "screen/screen.h"
#include "tui/canvas.h"
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

/* ---- mouse ----
 *
 * The actions of the mouse, each of which can also be done by a key. Pure.
 *
 *   a click on a row      makes it the current row; a double click is like Enter
 *   on a line of a menu   selects the line; a double click is like Enter
 *   on a column's name    sorts by that column; if the column sorts already, reverses the order
 *   on a tab              shows that screen
 *   the wheel             moves the current row, or scrolls a panel
 *
 * While a prompt or question takes keys, the mouse does nothing.
 */

/* Two clicks within this time are a double click. */
#define MOUSE_DOUBLE_MS 500
/* The number of rows or lines for each step of the wheel. */
#define MOUSE_WHEEL_ROWS 3

enum mouse_kind { MOUSE_CLICK, MOUSE_WHEEL_UP, MOUSE_WHEEL_DOWN };

struct mouse {
	enum mouse_kind kind;
	int x, y;
	uint64_t time_ms; /* in ms of any monotonic clock */
};

/* Handles an event of the mouse. Returns the reactions (enum reaction); REACT_NONE if nothing
 * changed. */
unsigned mouse_apply(struct ui_state *ui, struct view *view, const struct screen_list *screens,
		     const struct mouse *mouse);

/* ---- help ----
 *
 * The help panel, drawn from the tables that the program itself uses: the screen's columns, the
 * qualities of numbers, the looks and the keys. Pure.
 */

/* Paints the panel over the whole canvas, and adapts the scrolling to the number of lines. */
void help_paint(struct canvas *c, struct ui_state *ui, const struct screen *screen);

#endif
