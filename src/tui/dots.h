/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * dots - a grid of dots that is finer than the cells of the screen: what graphs are drawn with.
 * Pure.
 *
 * A cell has 2 x 4 dots as a character of Braille, 1 x 2 as a half block, and 1 x 2 as one of the
 * characters . ' : that any terminal has. Of two looks in one cell, the later one stays.
 */
#ifndef TUI_DOTS_H
#define TUI_DOTS_H

#include "tui/canvas.h"

enum dots_style { DOTS_BRAILLE, DOTS_BLOCKS, DOTS_ASCII };

struct dots {
	enum dots_style style;
	int columns, lines; /* of cells */
	int width, height;  /* of dots */
	uint8_t *set;       /* [lines][columns] bits */
	uint8_t *look;
};

/* The finest style that this locale can show, but none finer than `finest`. */
enum dots_style dots_style_here(enum dots_style finest);
/* What a terminal of this type has characters for; NULL: nothing is known of it. */
enum dots_style dots_style_of_terminal(const char *type);

void dots_init(struct dots *d, enum dots_style style, int columns, int lines);
void dots_done(struct dots *d);
/* Sets the dots from (x, low) to (x, high), where (0, 0) is at the left bottom; what is outside is
 * left out. */
void dots_set(struct dots *d, int x, int low, int high, uint8_t look);
/* Puts all cells that have a dot on the canvas, from this place on. */
void dots_put(const struct dots *d, struct canvas *c, int x, int y);

#endif
