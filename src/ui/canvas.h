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
#ifndef UI_CANVAS_H
#define UI_CANVAS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <wchar.h>

#include "base/strbuf.h"

/* What a cell means; term.c decides how that looks on this terminal. */
enum look {
	LOOK_NORMAL,
	LOOK_FAINT,
	LOOK_ROUGH,
	LOOK_DEAD,
	LOOK_WATCHED,
	LOOK_HEADER,
	LOOK_NOTE,
	N_LOOKS
};

/* Or-ed to a look: more weight. */
#define LOOK_STRONG   0x80
#define LOOK_OF(attr) ((attr)&0x7f)

struct look_row {
	char letter;      /* in dumps; upper case where it is strong */
	const char *help; /* what it says of a task or number, for the help; NULL: nothing */
};

extern const struct look_row look_table[N_LOOKS];

struct cell {
	wchar_t ch;
	uint8_t attr; /* enum look, LOOK_STRONG */
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
/* Sets the size (below 0: 0) and blanks all. */
void canvas_resize(struct canvas *c, int width, int height);
/* `width` times the blank with this attribute. */
void canvas_fill(struct canvas *c, int x, int y, int width, uint8_t attr);

/* Puts the first n bytes of the text (up to its end at most); returns the column behind
 * them, clipped or not. */
int canvas_put_n(struct canvas *c, int x, int y, uint8_t attr, const char *text, size_t n);
int canvas_put(struct canvas *c, int x, int y, uint8_t attr, const char *text);
/* What stands where a text was cut: one column wide. */
const char *canvas_cut_mark(void);
/* Whether they look the same. */
bool canvas_same_cell(const struct cell *a, const struct cell *b);
/* Puts text into the columns [x, end); where it does not fit, the last of them has a mark. Returns
 * the column behind. */
int canvas_put_cut(struct canvas *c, int x, int y, int end, uint8_t attr, const char *text);
/* Puts text, wrapped, into the lines from y on, at most n, the last of them cut; returns
 * how many it took. */
int canvas_put_wrapped(struct canvas *c, int y, int n, uint8_t attr, const char *text);

/* Columns that the text takes. */
int canvas_text_width(const char *text);
/* Bytes of the text that go into a line of this width, broken between words where there are some;
 * *next is where the next line starts. At least one character, so that a loop ends. */
size_t canvas_wrap(const char *text, int width, const char **next);

/* The text, line by line, without trailing blanks; with attrs, a line "--" and the letters of the
 * looks follow, a normal blank being a blank. */
void canvas_dump(const struct canvas *c, bool attrs, struct strbuf *out);

#endif
