/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * mouse - the actions of the mouse, each of which can also be done by a key. Pure.
 *
 *   a click on a row      makes it the current row; a double click is like Enter
 *   on a line of a menu   selects the line; a double click is like Enter
 *   on a column's name    sorts by that column; if the column sorts already, reverses the order
 *   on a tab              shows that screen
 *   the wheel             moves the current row, or scrolls a panel
 *
 * While a prompt or question takes keys, the mouse does nothing.
 */
#ifndef TUI_MOUSE_H
#define TUI_MOUSE_H

#include <stdint.h>

#include "tui/ui_state.h"

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

#endif
