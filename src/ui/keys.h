/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * keys - the keys of the live screen: one table for what they do, the help, the hints in the
 * footer and the manual.
 *
 * keys_apply() is pure: it changes the view and the state of the screen, nothing else.
 */
#ifndef UI_KEYS_H
#define UI_KEYS_H

#include <stdbool.h>
#include <stddef.h>

#include "screen/screen.h"
#include "ui/ask.h"
#include "ui/cursor.h"
#include "ui/layout.h"
#include "view/view.h"

/* A key is a byte of a character in UTF-8, or one of these. */
enum key_code {
	KEYCODE_OTHER = 0, /* any key that tiptop does not know */
	KEYCODE_CTRL_C = 0x03,
	KEYCODE_CTRL_G = 0x07,
	KEYCODE_CTRL_H = 0x08,
	KEYCODE_TAB = 0x09,
	KEYCODE_CTRL_L = 0x0c,
	KEYCODE_ENTER = 0x0d,
	KEYCODE_CTRL_R = 0x12,
	KEYCODE_CTRL_U = 0x15,
	KEYCODE_CTRL_W = 0x17,
	KEYCODE_ESC = 0x1b,
	KEYCODE_BACKSPACE = 0x7f,
	KEYCODE_FIRST = 0x100, /* from here on no characters */
	KEYCODE_UP = KEYCODE_FIRST,
	KEYCODE_DOWN,
	KEYCODE_LEFT,
	KEYCODE_RIGHT,
	KEYCODE_PGUP,
	KEYCODE_PGDN,
	KEYCODE_HOME,
	KEYCODE_END,
	KEYCODE_DELETE,
	KEYCODE_F1,
	KEYCODE_F10,
	KEYCODE_DIGIT /* only in the table: any of 0 to 9 */
};

/* A panel covers the whole screen. */
enum panel { PANEL_NONE, PANEL_HELP, PANEL_ERRORS, PANEL_EXPLAIN };

#define PANEL_BIT(panel) (1u << (panel))

/* The state of the live screen, beside the view. */
struct ui_state {
	enum panel panel;
	int key;     /* the key that is being obeyed */
	bool redraw; /* the terminal shows something else than we think: paint each cell anew */
	struct scroll rows, panel_lines;
	struct cursor cursor; /* the current row */
	/* What was painted last: its rows are those that keys are about. NULL: nothing yet. */
	const struct frame *frame;
	struct layout layout;
	struct ask ask;
};

struct key_row {
	int key;
	const char *name;     /* as the help prints it: "LEFT", "H" */
	const char *help;     /* one sentence without a full stop */
	const char *hint_key; /* what the footer calls it; NULL: it is not in the footer */
	const char *hint;
	unsigned reaction; /* the reactions where it changes something, see live.h */
	/* PANEL_BIT()s of the panels in which it works; without a panel it always does. */
	unsigned panels;
	unsigned (*act)(const struct key_row *row, struct ui_state *ui, struct view *view,
			const struct screen_list *screens);
	/* For act(): a direction, a panel, a kind of request, or the offset of a bool in struct
	 * view. */
	long arg;
};

extern const struct key_row key_table[];
extern const size_t key_table_n;

/* Does what the key means, or says that it means nothing. Returns the reactions; REACT_NONE where
 * nothing changed. */
unsigned keys_apply(struct ui_state *ui, struct view *view, const struct screen_list *screens,
		    int key);

#endif
