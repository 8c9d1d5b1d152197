/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * mouse - what is done with the mouse: nothing that a key would not do as well. Pure.
 *
 *   a click on a row      makes it the current one; a second one at once is Enter
 *   on a line of a menu   the same
 *   on a column's name    sorts by it; where it does already, reverses the order
 *   on a tab              shows that screen
 *   the wheel             moves the current row, or scrolls a panel
 *
 * While a prompt or question takes keys, the mouse does nothing.
 */
#ifndef TUI_MOUSE_H
#define TUI_MOUSE_H

#include <stdint.h>

#include "tui/keys.h"

/* Two clicks within this time are a double click. */
#define MOUSE_DOUBLE_MS 500
/* So many rows or lines for each step of the wheel. */
#define MOUSE_WHEEL_ROWS 3

enum mouse_kind { MOUSE_CLICK, MOUSE_WHEEL_UP, MOUSE_WHEEL_DOWN };

struct mouse {
	enum mouse_kind kind;
	int x, y;
	uint64_t time_ms; /* of any clock that goes on */
};

/* Does what the mouse means. Returns the reactions; REACT_NONE where nothing changed. */
unsigned mouse_apply(struct ui_state *ui, struct view *view, const struct screen_list *screens,
		     const struct mouse *mouse);

#endif
