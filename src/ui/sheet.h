/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * sheet - lines of text that may be more than the screen has: what the help and the errors are
 * written on. Pure.
 *
 * A sheet covers the whole canvas; its first line there is the title's, where there are two at
 * least. It is written by a function that runs twice: to count the lines, and to put the visible
 * ones on the canvas.
 */
#ifndef UI_SHEET_H
#define UI_SHEET_H

#include <stddef.h>
#include <stdint.h>

#include "ui/canvas.h"
#include "ui/keys.h"

/* The usual column of labels. */
#define SHEET_INDENT 2

struct sheet {
	struct canvas *canvas;
	size_t y;        /* the line being written, counted from the sheet's start */
	size_t first, n; /* the lines [first, first + n) are visible */
	int row;         /* on the canvas, of the first one */
};

/* Puts n bytes of text at column x of the present line; returns the column behind. */
int sheet_put(struct sheet *s, int x, uint8_t attr, const char *text, size_t n);
/* Puts text into the columns from x on, over as many lines as it needs, and ends the line. */
void sheet_text(struct sheet *s, int x, uint8_t attr, const char *text);
/* Where text that should stand at column x does stand: further left on a narrow screen. */
int sheet_column(const struct sheet *s, int x);
/* "label  text", the text at column x or below the label where it does not fit behind. */
void sheet_entry(struct sheet *s, int x, uint8_t label_attr, const char *label, const char *text);
/* A line without text, then the text. */
void sheet_title(struct sheet *s, const char *text);

/* Shows what `write` writes, and fits the scrolling to its number of lines. `closes` names the
 * keys, for the title. */
void sheet_paint(struct canvas *c, struct scroll *scroll, const char *title, const char *closes,
		 void (*write)(struct sheet *s, const void *context), const void *context);

#endif
