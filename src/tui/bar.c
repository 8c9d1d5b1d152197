/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tui/bar.h"

#include <math.h>
#include <string.h>

void bar_add_piece(struct bar *b, double share, char ch, uint8_t look)
{
	b->piece[b->n_pieces++] = (struct bar_piece){share, ch, look};
}

/* What stands in cell i of n. */
static struct bar_piece piece_at(const struct bar *b, int i, int n)
{
	double sum = 0;

	for (int k = 0; k < b->n_pieces; k++) {
		sum += b->piece[k].share;
		if (i < (int)lround(sum * n))
			return b->piece[k];
	}
	return (struct bar_piece){0, ' ', LOOK_BAR_EMPTY};
}

static void paint_pieces(struct canvas *c, int x, int y, int width, const struct bar *b)
{
	const int len = (int)strlen(b->text), start = width - len;

	for (int i = 0; i < width; i++) {
		struct bar_piece piece = piece_at(b, i, width);

		if (start >= 0 && i >= start)
			piece.ch = b->text[i - start];
		if (start >= 0 && i >= start && piece.look == LOOK_BAR_EMPTY)
			piece.look = LOOK_NORMAL;
		canvas_put_n(c, x + i, y, piece.look, &piece.ch, 1);
	}
	if (start < 0)
		canvas_put_cut(c, x, y, x + width, LOOK_NORMAL, b->text);
}

void bar_paint(struct canvas *c, int x, int y, int width, const struct bar *b)
{
	const int end = x + width - 1;

	x = canvas_put_cut(c, x, y, end - 1, LOOK_BAR_FRAME, b->label);
	x = canvas_put(c, x, y, LOOK_BAR_FRAME, "[");
	if (b->fault)
		canvas_put_cut(c, x, y, end, LOOK_NOTE, b->text);
	else
		paint_pieces(c, x, y, end - x, b);
	canvas_put(c, end, y, LOOK_BAR_FRAME, "]");
}
