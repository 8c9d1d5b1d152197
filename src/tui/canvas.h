/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * canvas - a grid of attributed cells: the contents of the screen, independent of any terminal;
 * pictures of it as files, and the size that a terminal gives it.
 *
 * Input text is UTF-8, whatever the locale. A character takes as many cells as wcwidth() says:
 * characters that a terminal of this locale cannot show, control characters and invalid bytes
 * become '?', and zero-width characters are left out. Everything is clipped: any position and any
 * size is valid, 0 included.
 *
 * Invariants: a cell holds a printable character; of a wide character, which takes two cells, the
 * second cell holds 0. canvas.cell has width * height elements, line by line.
 *
 * Ownership: the canvas owns its cells; canvas_done() frees them.
 */
#ifndef TUI_CANVAS_H
#define TUI_CANVAS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <wchar.h>

#include "base/err.h"
#include "base/strbuf.h"
#include "conf/theme.h"

struct cell {
	wchar_t ch;
	uint8_t attr; /* enum look, with or without the flag LOOK_STRONG */
	/* The look that canvas_lay() has laid over attr (enum look); LOOK_NORMAL: none. */
	uint8_t laid;
	uint16_t unused; /* always 0, as lines are compared byte by byte */
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

/* Lays a look over the cells, whose attributes stay. A later look replaces an earlier one; text
 * that is written later removes the look. */
void canvas_lay(struct canvas *c, int x, int y, int width, enum look look);

/* Writes the first n bytes of the text, or all of the text if it is shorter. Returns the column
 * after the text, even if that is beyond the edge of the canvas. */
int canvas_put_n(struct canvas *c, int x, int y, uint8_t attr, const char *text, size_t n);
int canvas_put(struct canvas *c, int x, int y, uint8_t attr, const char *text);
/* Returns whether two cells look the same. */
bool canvas_same_cell(const struct cell *a, const struct cell *b);
/* Returns whether line y looks the same on two canvases of the same size. */
bool canvas_same_line(const struct canvas *a, const struct canvas *b, int y);
/* Writes text into the columns [x, end); a text that does not fit is cut and ends with the cut
 * mark. Returns the column after the text. */
int canvas_put_cut(struct canvas *c, int x, int y, int end, uint8_t attr, const char *text);
/* Writes text, wrapped, into at most n lines from y on; if the text is longer, line n ends with the
 * cut mark. Returns the number of lines used. */
int canvas_put_wrapped(struct canvas *c, int y, int n, uint8_t attr, const char *text);

/* Returns the number of columns that the text takes. */
int canvas_text_width(const char *text);
/* Returns the number of bytes of the text that fit into one line of this width; breaks between
 * words if possible. Sets *next to the beginning of the next line. At least one character fits,
 * whatever the width, so that loops over the lines end. */
size_t canvas_wrap(const char *text, int width, const char **next);

/* Appends a character as UTF-8. */
void canvas_add_character(struct strbuf *out, wchar_t ch);
/* Appends the text of the canvas line by line, without trailing blanks. With attrs, a line "--"
 * follows, then a letter for the look of each cell (a blank for a blank in LOOK_NORMAL). If any
 * cell has a look laid over it, another line "--" follows, then a letter for the laid look of each
 * cell. */
void canvas_dump(const struct canvas *c, bool attrs, struct strbuf *out);

/* ---- pictures ----
 *
 * Writes a canvas as a file: text, ECMA-48 codes, SVG or HTML. Pure.
 *
 * The suffix of the file selects the format. A picture has the colours of a theme. Where the theme
 * uses the default colours of the terminal, the picture is light on dark, or dark on light if the
 * theme is a light one. The canvas has no control characters; each format escapes its special
 * characters.
 */

struct picture_format {
	const char *suffix; /* including the '.' */
	void (*write)(struct strbuf *out, const struct canvas *c, const struct theme *t);
};

/* Returns the format for a file of this name; NULL with a sentence that lists the suffixes: no
 * format. */
const struct picture_format *picture_find(const char *path, struct err *err);

/* Returns the i-th suffix; NULL after the last one. */
const char *picture_suffix(size_t i);

/* ---- size of the terminal ----
 *
 * The size of the terminal, checked for plausibility.
 *
 * No terminal is larger than WINSIZE_WIDTH_MAX by WINSIZE_HEIGHT_MAX: a larger size is wrong, and
 * would only make curses allocate memory for it.
 */

#define WINSIZE_WIDTH_MAX  2000
#define WINSIZE_HEIGHT_MAX 1000

/* Sets *width and *height to the size of the terminal, in cells. Returns false if the size is not
 * available, or implausible; an implausible size is set, too. */
bool winsize_ask(int fd, int *width, int *height);
/* Prepares the environment variables LINES and COLUMNS, from which curses takes its initial size.
 * Plausible values stay. Else, the variable is removed if the terminal has a plausible size or
 * none, and set to the default (24, 80) if the terminal has an implausible size. */
void winsize_check_environment(int fd);

#endif
