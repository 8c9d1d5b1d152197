/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * hits - what was painted where, so that a click finds it. Pure.
 *
 * Whoever paints something that can be clicked adds its place. Of two at one place, the later one
 * is on top.
 *
 * Ownership: the list owns its memory; hits_done() frees it.
 */
#ifndef TUI_HITS_H
#define TUI_HITS_H

#include <stddef.h>

enum hit_kind {
	HIT_NONE,
	HIT_ROW,  /* what: its index in the frame */
	HIT_NAME, /* the name of a column; what: by what it sorts, view/sort.h */
	HIT_TAB,  /* what: the number of the screen */
	HIT_LINE  /* of a menu; what: its number */
};

struct hit {
	enum hit_kind kind;
	int what;
};

struct hits {
	struct hit_place {
		int x, y, width;
		struct hit hit;
	} * v;
	size_t n, cap;
};

void hits_done(struct hits *h);
/* Adds the columns [x, x + width) of line y. */
void hits_add(struct hits *h, int x, int y, int width, struct hit hit);
/* What stands there; HIT_NONE: nothing that can be clicked. */
struct hit hits_at(const struct hits *h, int x, int y);

#endif
