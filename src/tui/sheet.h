/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * sheet - paints a scrollable text with a title, such as the help or the errors. Pure.
 *
 * A sheet covers the whole canvas; the first line is the title if the canvas has at least two
 * lines. A callback writes the text twice: once to count its lines, and once to put the visible
 * lines on the canvas.
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
 * Hints in a line of a panel: the keys of actions, with a word about the effect. The keys are those
 * that the user's keymap binds to the actions.
 */

struct key_hint {
	const char *action; /* the name of the action; NULL: end of the list */
	const char *text;   /* the effect of the action, in a word or two */
	/* The action in the opposite direction, whose key is named, too; NULL: none. */
	const char *other;
};

/* The hints of a panel. */
struct key_hints {
	const struct keymap *keymap; /* NULL: the keys of key_table */
	const struct key_hint *hint;
};

/* Appends hints such as "Enter takes, Delete removes, q closes", with `between` between two hints.
 * Only whole hints that fit into `room` columns are appended: the last one has precedence, then the
 * first ones. Actions without a key are left out. */
void key_hints_add(struct strbuf *out, const struct key_hints *hints, const char *between,
		   int room);

/* ---- sheet ---- */

/* The column in which labels usually begin. */
#define SHEET_INDENT 2

struct sheet {
	struct canvas *canvas;
	size_t y;                 /* the line to write next, counted from the start of the sheet */
	size_t first, n;          /* the lines [first, first + n) are visible */
	struct scroll_find *find; /* the search whose matches are recorded; NULL: none */
	/* The lines of the last match before find->from, and of the first match from find->from
	 * on. */
	size_t before, behind;
	int row; /* the line of the canvas that shows the first visible line */
};

/* Puts n bytes of text at column x of the current line. Returns the column after the text. */
int sheet_put(struct sheet *s, int x, uint8_t attr, const char *text, size_t n);
/* Puts text into the columns from x to the end of the line; a text that does not fit is cut and
 * ends with a mark. */
void sheet_put_rest(struct sheet *s, int x, uint8_t attr, const char *text);
/* Writes text into the columns from x on, over as many lines as it needs, and ends the line. */
void sheet_text(struct sheet *s, int x, uint8_t attr, const char *text);
/* Returns the column for a text that should stand in column x: x, or a column further left on a
 * narrow screen. */
int sheet_column(const struct sheet *s, int x);
/* Writes "label text": the text at column x, or below the label if the label is too long. */
void sheet_entry(struct sheet *s, int x, uint8_t label_attr, const char *label, const char *text);
/* Writes an empty line, then the title of a section. The title is left out if it would stand on the
 * last visible line, as nothing of its section would be visible. */
void sheet_title(struct sheet *s, const char *text);

/* Paints the lines that `write` writes, and adapts the scrolling to the number of lines. hints:
 * painted at the end of the title's line; the last hint is that of closing the panel. */
void sheet_paint(struct canvas *c, struct scroll *scroll, const char *title,
		 const struct key_hints *hints, void (*write)(struct sheet *s, const void *context),
		 const void *context);
/* Paints a sheet as sheet_paint() does, but leaves `lines` lines below the title free for something
 * that does not scroll. */
void sheet_paint_below(struct canvas *c, struct scroll *scroll, int lines, const char *title,
		       const struct key_hints *hints,
		       void (*write)(struct sheet *s, const void *context), const void *context);

#endif
