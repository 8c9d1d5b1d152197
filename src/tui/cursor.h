/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * cursor - the current row of the live screen: the one that keys are about. Pure.
 *
 * At the start, and after HOME, it is the first row, whoever that is. Any other move puts it on
 * a task, and there it stays when the order changes, or, by_place, on the place that it moved to.
 * When its task goes, its place stays. The list scrolls no more than it needs to show it.
 *
 * Invariant: after cursor_fit() with a frame that has rows, index < frame->n, and row is the one
 * there. A frame without rows changes nothing: it may be one in between.
 */
#ifndef TUI_CURSOR_H
#define TUI_CURSOR_H

#include "tui/live.h"
#include "view/frame.h"
#include "view/row_id.h"

/* A list of n lines, of which `page` are visible, from line `top` on. Whoever paints the list sets
 * n and page. */
struct scroll {
	size_t top, n, page;
	struct scroll_find *find; /* what is looked for in the lines; NULL: nothing */
};

/* A text that is looked for. Whoever paints the lines goes to one that has it. */
struct scroll_find {
	char text[REQUEST_TEXT_MAX];
	int seek; /* 1: to the first line that has it from `from` on; -1: to the last one before */
	size_t from;
	size_t origin; /* where the search began: giving up goes back there */
	bool missed;   /* no line has it */
};

/* Sets n and page, and moves top back where the page would not be full. */
void scroll_fit(struct scroll *s, size_t n, size_t page);
/* Moves top where line i would not be visible. */
void scroll_show(struct scroll *s, size_t i);
/* Where a key leads from line i of n; n may be the answer. */
size_t scroll_move(size_t i, size_t n, size_t page, int key);
/* Scrolls by a key: UP DOWN PGUP PGDN HOME END. */
void scroll_key(struct scroll *s, int key);
/* The same of text, whose last line stays in sight on the next page. */
void scroll_text(struct scroll *s, int key);

struct cursor {
	struct row_id row; /* its kind is NULL: none yet */
	size_t index;      /* its place among the rows */
	bool held;         /* it has been put on a row: it is not just the first one */
	bool by_place;     /* the place stays, not the task */
	bool follows;      /* the task stays all the same, until a key moves */
};

/* Moves by a key: UP DOWN PGUP PGDN HOME END. The page moves with it. False: it was there. */
bool cursor_key(struct cursor *c, struct scroll *rows, const struct frame *frame, int key);
/* Puts it on row i of the frame. */
void cursor_put(struct cursor *c, const struct frame *frame, size_t i);
/* Back to the first row, as at the start. */
void cursor_reset(struct cursor *c);
/* Finds its row in another frame. */
void cursor_fit(struct cursor *c, const struct frame *frame);
/* The current row; NULL: there is none. */
const struct frame_row *cursor_row(const struct cursor *c, const struct frame *frame);
/* The row that keys are about: the current one; as long as that is just the first one, the first
 * that is watched. NULL: there is none. */
const struct frame_row *cursor_subject(const struct cursor *c, const struct frame *frame);

#endif
