/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * sheet - lines of text that may be more than the screen has: what the help and the errors are
 * written on. Pure.
 *
 * A sheet covers the whole canvas; its first line there is the title's, where there are two at
 * least. It is written by a function that runs twice: to count the lines, and to put the visible
 * ones on the canvas.
 */
#ifndef TUI_SHEET_H
#define TUI_SHEET_H

#include <stddef.h>
#include <stdint.h>

#include "tui/canvas.h"
#include "tui/keymap.h"
#include "tui/keys.h"

/* ---- key hints ----
 *
 * Which keys do what, in a line of a panel. The keys are those of the keymap.
 */

struct key_hint {
	const char *action; /* of the key; NULL: behind the last hint */
	const char *text;   /* what it does, in a word or two */
	const char *other; /* the action of the other direction, whose key is named, too; or NULL */
};

/* The hints of a panel. */
struct key_hints {
	const struct keymap *keymap; /* NULL: keys do what key_table says */
	const struct key_hint *hint;
};

/* Appends "Enter takes, Delete removes, q closes", with this text between two hints: of the last
 * one, then of the others from the first one on, all that have room in so many columns, none of
 * them cut. What has no key is left out. */
void key_hints_add(struct strbuf *out, const struct key_hints *hints, const char *between,
		   int room);

/* ---- sheet ---- */

/* The column in which labels usually begin. */
#define SHEET_INDENT 2

struct sheet {
	struct canvas *canvas;
	size_t y;        /* the line that is being written, counted from the start of the sheet */
	size_t first, n; /* the lines [first, first + n) are visible */
	struct scroll_find *find; /* to be noted: which lines have the text */
	size_t before, behind; /* the last such line before find->from, and the first from there */
	int row;               /* the line of the canvas on which the first visible line stands */
};

/* Puts n bytes of text at column x of the present line. Returns the column behind them. */
int sheet_put(struct sheet *s, int x, uint8_t attr, const char *text, size_t n);
/* Puts text into the columns from x on, over as many lines as it needs, and ends the line. */
void sheet_text(struct sheet *s, int x, uint8_t attr, const char *text);
/* The column in which a text stands that should stand in column x: further left on a narrow
 * screen. */
int sheet_column(const struct sheet *s, int x);
/* Writes "label text": the text at column x, or below the label where it does not fit behind it. */
void sheet_entry(struct sheet *s, int x, uint8_t label_attr, const char *label, const char *text);
/* Writes an empty line, then the title; it is not seen on the last line, as the next page has it
 * again. */
void sheet_title(struct sheet *s, const char *text);

/* Paints what `write` writes, and fits the scrolling to the number of its lines. hints: for the end
 * of the title's line, of which the last one closes the panel. */
void sheet_paint(struct canvas *c, struct scroll *scroll, const char *title,
		 const struct key_hints *hints, void (*write)(struct sheet *s, const void *context),
		 const void *context);
/* The same, but so many lines behind the title's are left to something that does not scroll. */
void sheet_paint_below(struct canvas *c, struct scroll *scroll, int lines, const char *title,
		       const struct key_hints *hints,
		       void (*write)(struct sheet *s, const void *context), const void *context);

#endif
