/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * bar - how much of a whole something is, "label[||||::  34.1%]": in one line, with a text at the
 * right end, which is written over the bar. What it says is said by characters, too, not by colours
 * alone. Pure.
 */
#ifndef TUI_BAR_H
#define TUI_BAR_H

#include <stdbool.h>

#include "tui/canvas.h"

#define BAR_PIECES_MAX 5

struct bar_piece {
	double share; /* of the whole bar, which is 1 */
	char ch;
	uint8_t look;
};

struct bar {
	char label[32], text[48];               /* ASCII */
	bool fault;                             /* the text says why there is no bar */
	struct bar_piece piece[BAR_PIECES_MAX]; /* from left to right */
	int n_pieces;
};

/* There may be BAR_PIECES_MAX. */
void bar_add_piece(struct bar *b, double share, char ch, uint8_t look);
void bar_paint(struct canvas *c, int x, int y, int width, const struct bar *b);

#endif
