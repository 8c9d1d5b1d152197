/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * cursor - the current row of the live screen, on which keys act. Pure.
 *
 * At the start, and after HOME, the cursor is on the first row, whichever task that is. Any other
 * move puts it on a task, and it stays on that task when the order changes; with by_place it stays
 * on the place in the list instead. When its task disappears, the place stays. The list scrolls
 * only as far as needed to show the current row.
 *
 * Invariant: after cursor_fit() with a frame that has rows, index < frame->n, and row identifies
 * the row there. A frame without rows changes nothing: it may be a short interruption.
 */
#ifndef TUI_CURSOR_H
#define TUI_CURSOR_H

#include "tui/request.h"
#include "view/frame.h"
#include "view/row_id.h"

/* A list of n lines, of which `page` are visible, from line `top` on. The painting of the list sets
 * n and page. */
struct scroll {
	size_t top, n, page;
	struct scroll_find *find; /* the search in the lines; NULL: none */
};

/* A search for a text in lines. The painting of the lines scrolls to the match. */
struct scroll_find {
	char text[REQUEST_TEXT_MAX];
	int seek; /* 1: find the first match from line `from` on; -1: the last one before; 0: done
		   */
	size_t from;
	size_t origin; /* the line where the search began: cancelling returns to it */
	bool missed;   /* no line matches */
};

/* Sets *line to the next match among n lines, in the direction of `seek`, wrapping around at the
 * ends; without a text, to the origin. has: returns whether line i matches. */
void scroll_find_line(struct scroll_find *find, size_t n, size_t *line,
		      bool (*has)(const void *context, size_t i, const char *text),
		      const void *context);
/* Sets n and page, and moves top back if the page would not be full. */
void scroll_fit(struct scroll *s, size_t n, size_t page);
/* Moves top so that line i is visible. */
void scroll_show(struct scroll *s, size_t i);
/* Returns the line to which a key moves from line i of n; it may be n or beyond. */
size_t scroll_move(size_t i, size_t n, size_t page, int key);
/* Scrolls by a key: UP DOWN PGUP PGDN HOME END. */
void scroll_key(struct scroll *s, int key);
/* The same for text: a page key keeps one line of the old page visible. */
void scroll_text(struct scroll *s, int key);

struct cursor {
	struct row_id row; /* the current row; its kind is NULL: none yet */
	size_t index;      /* the place of that row in the frame */
	bool held;         /* the user put the cursor on a row; false: it is on the first row */
	bool by_place;     /* the cursor stays on its place, not on its task */
	bool follows; /* the cursor stays on its task in spite of by_place, until a key moves */
};

/* Moves the cursor by a key: UP DOWN PGUP PGDN HOME END. The page moves with it. Returns false if
 * nothing changed. */
bool cursor_key(struct cursor *c, struct scroll *rows, const struct frame *frame, int key);
/* Puts the cursor on row i of the frame, and ends the following of a task. */
void cursor_put(struct cursor *c, const struct frame *frame, size_t i);
/* Moves the cursor back to the first row, as at the start. */
void cursor_reset(struct cursor *c);
/* Finds the current row in another frame. */
void cursor_fit(struct cursor *c, const struct frame *frame);
/* Returns the current row; NULL: none. */
const struct frame_row *cursor_row(const struct cursor *c, const struct frame *frame);
/* Returns the row that keys act on: the current row, or, as long as the user has not moved the
 * cursor, the first watched one. NULL: none. */
const struct frame_row *cursor_subject(const struct cursor *c, const struct frame *frame);

#endif
