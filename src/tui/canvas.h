/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * canvas - a grid of attributed cells: the contents of the screen, independent of any terminal.
 *
 * Input text is UTF-8, whatever the locale. A character takes as many cells as wcwidth() says:
 * characters that a terminal of this locale cannot show, control characters and invalid bytes
 * become '?', and zero-width characters are left out. Everything is clipped: any position and any
 * size is valid, 0 included.
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
	uint8_t laid;    /* enum look: laid over attr by canvas_lay(); LOOK_NORMAL: none */
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
/* Sets the size (negative: 0) and blanks all cells. */
void canvas_resize(struct canvas *c, int width, int height);
/* Writes `width` blanks with this attribute. */
void canvas_fill(struct canvas *c, int x, int y, int width, uint8_t attr);

/* Lays a look over the cells; their attributes stay. A later look replaces an earlier one; new text
 * removes it. */
void canvas_lay(struct canvas *c, int x, int y, int width, enum look look);

/* Writes the first n bytes of the text, at most up to its end. Returns the column behind them,
 * clipped or not. */
int canvas_put_n(struct canvas *c, int x, int y, uint8_t attr, const char *text, size_t n);
int canvas_put(struct canvas *c, int x, int y, uint8_t attr, const char *text);
/* Returns the mark for the place where a text was cut: one column wide. */
const char *canvas_cut_mark(void);
/* Returns whether two cells look the same. */
bool canvas_same_cell(const struct cell *a, const struct cell *b);
/* Returns whether line y looks the same on two canvases of the same size. */
bool canvas_same_line(const struct canvas *a, const struct canvas *b, int y);
/* Writes text into the columns [x, end); if it does not fit, it ends with the cut mark. Returns the
 * column behind the text. */
int canvas_put_cut(struct canvas *c, int x, int y, int end, uint8_t attr, const char *text);
/* Writes text, wrapped, into at most n lines from y on; line n is cut. Returns the number of
 * lines used. */
int canvas_put_wrapped(struct canvas *c, int y, int n, uint8_t attr, const char *text);

/* Returns the number of columns that the text takes. */
int canvas_text_width(const char *text);
/* Returns the number of bytes of the text for one line of this width, broken between words if
 * possible. *next: where the next line begins. At least one character is taken, so that a loop
 * ends. */
size_t canvas_wrap(const char *text, int width, const char **next);

/* Appends a character as UTF-8. */
void canvas_add_character(struct strbuf *out, wchar_t ch);
/* Appends the text of the canvas line by line, without trailing blanks. With attrs, a line "--"
 * follows, then a letter for the look of each cell (blank for a normal blank); and if any cell has
 * a look laid over it, another "--" and the letters of those. */
void canvas_dump(const struct canvas *c, bool attrs, struct strbuf *out);

#endif
