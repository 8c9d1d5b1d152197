/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * canvas - a grid of attributed cells: what the screen shows, before any terminal is involved.
 *
 * Text comes in as UTF-8, whatever the locale. A character takes as many cells as wcwidth() says,
 * so what a terminal of this locale cannot show (and any control character or broken byte) becomes
 * '?', and characters without a width are left out. Everything is clipped: any position and any
 * size is fine, 0 included.
 *
 * Invariants: a cell holds a printable character, or 0 as the right half of a wide one, whose left
 * half is then in the cell before it. cell has width * height elements, line by line.
 *
 * Ownership: the canvas owns its cells; canvas_done() frees them.
 */
#ifndef TUI_CANVAS_H
#define TUI_CANVAS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <wchar.h>

#include "base/strbuf.h"
#include "conf/theme.h"

struct cell {
	wchar_t ch;
	uint8_t attr;    /* enum look, LOOK_STRONG */
	uint8_t laid;    /* enum look: what was laid over it; LOOK_NORMAL: nothing */
	uint16_t unused; /* 0: lines are compared as bytes */
};

struct canvas {
	int width, height;
	struct cell *cell;
	size_t cap;
};

#define CANVAS_INIT                                                                                \
	{                                                                                          \
		0, 0, NULL, 0                                                                      \
	}

void canvas_done(struct canvas *c);
/* Sets the size, where less than 0 is 0, and blanks all cells. */
void canvas_resize(struct canvas *c, int width, int height);
/* Puts `width` blanks with this attribute. */
void canvas_fill(struct canvas *c, int x, int y, int width, uint8_t attr);

/* Lays a look over what stands there: it changes how the cells look, not what they mean. Of two,
 * the later one stays; new text takes it away. */
void canvas_lay(struct canvas *c, int x, int y, int width, enum look look);

/* Puts the first n bytes of the text, at most up to its end. Returns the column behind them,
 * clipped or not. */
int canvas_put_n(struct canvas *c, int x, int y, uint8_t attr, const char *text, size_t n);
int canvas_put(struct canvas *c, int x, int y, uint8_t attr, const char *text);
/* The mark that stands where a text was cut: one column wide. */
const char *canvas_cut_mark(void);
/* Whether they look the same. */
bool canvas_same_cell(const struct cell *a, const struct cell *b);
/* Whether line y of two canvases of one size looks the same. */
bool canvas_same_line(const struct canvas *a, const struct canvas *b, int y);
/* Puts text into the columns [x, end). Where it does not fit, the last of them has the mark.
 * Returns the column behind the text. */
int canvas_put_cut(struct canvas *c, int x, int y, int end, uint8_t attr, const char *text);
/* Puts text, wrapped, into at most n lines from y on; the last one is cut. Returns the number of
 * lines. */
int canvas_put_wrapped(struct canvas *c, int y, int n, uint8_t attr, const char *text);

/* The number of columns that the text takes. */
int canvas_text_width(const char *text);
/* How many bytes of the text go into a line of this width, which ends between words where that is
 * possible. *next: where the next line begins. At least one character is taken, so that a loop
 * ends. */
size_t canvas_wrap(const char *text, int width, const char **next);

/* Appends a character as UTF-8. */
void canvas_add_character(struct strbuf *out, wchar_t ch);
/* Appends the text of the canvas line by line, without trailing blanks. With attrs, a line "--"
 * follows and then the letters of the looks, in which a normal blank is a blank; and where a look
 * was laid over some cell, another "--" and the letters of these. */
void canvas_dump(const struct canvas *c, bool attrs, struct strbuf *out);

#endif
