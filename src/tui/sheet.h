/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * sheet - a scrollable text with a title, as the help and the errors. Pure.
 *
 * A sheet covers the whole canvas; the first line is the title if the canvas has at least two
 * lines. A function writes it twice: to count the lines, and to put the visible ones on the canvas.
 */
#ifndef TUI_SHEET_H
#define TUI_SHEET_H

#include <stddef.h>
#include <stdint.h>

#include "tui/canvas.h"
#include "tui/cursor.h"
#include "tui/keymap.h"

/* ---- key hints ----
 *
 * Hints of keys in a line of a panel. The keys are those of the keymap.
 */

struct key_hint {
	const char *action; /* the name of the action; NULL: end of the list */
	const char *text;   /* its effect, in a word or two */
	const char *other; /* the action of the opposite direction, whose key is named, too; or NULL
			    */
};

/* The hints of a panel. */
struct key_hints {
	const struct keymap *keymap; /* NULL: the keys of key_table */
	const struct key_hint *hint;
};

/* Appends "Enter takes, Delete removes, q closes", with `between` between two hints: as many as fit
 * into `room` columns, none of them cut; the last one has precedence, then the first ones. Actions
 * without a key are left out. */
void key_hints_add(struct strbuf *out, const struct key_hints *hints, const char *between,
		   int room);

/* ---- sheet ---- */

/* The column in which labels usually begin. */
#define SHEET_INDENT 2

struct sheet {
	struct canvas *canvas;
	size_t y;                 /* the line being written, counted from the start of the sheet */
	size_t first, n;          /* the lines [first, first + n) are visible */
	struct scroll_find *find; /* the search whose matches are noted; NULL: none */
	size_t before, behind; /* the last match before find->from, and the first from there on */
	int row;               /* the line of the canvas for the first visible line */
};

/* Puts n bytes of text at column x of the current line. Returns the column behind them. */
int sheet_put(struct sheet *s, int x, uint8_t attr, const char *text, size_t n);
/* Puts text into the columns from x to the end of the line; a mark shows where it was cut. */
void sheet_put_rest(struct sheet *s, int x, uint8_t attr, const char *text);
/* Writes text into the columns from x on, over as many lines as it needs, and ends the line. */
void sheet_text(struct sheet *s, int x, uint8_t attr, const char *text);
/* Returns the column for a text that should stand in column x: further left on a narrow screen. */
int sheet_column(const struct sheet *s, int x);
/* Writes "label text": the text at column x, or below the label if the label is too long. */
void sheet_entry(struct sheet *s, int x, uint8_t label_attr, const char *label, const char *text);
/* Writes an empty line, then the title of a section; a title on the last visible line is left
 * blank, as its section is on the next page. */
void sheet_title(struct sheet *s, const char *text);

/* Paints the lines that `write` writes, and adapts the scrolling to their number. hints: stand at
 * the end of the title's line; the last one closes the panel. */
void sheet_paint(struct canvas *c, struct scroll *scroll, const char *title,
		 const struct key_hints *hints, void (*write)(struct sheet *s, const void *context),
		 const void *context);
/* The same, with `lines` lines below the title left free for something that does not scroll. */
void sheet_paint_below(struct canvas *c, struct scroll *scroll, int lines, const char *title,
		       const struct key_hints *hints,
		       void (*write)(struct sheet *s, const void *context), const void *context);

#endif
