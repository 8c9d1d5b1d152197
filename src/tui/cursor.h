/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * cursor - the current row of the live screen, on which keys act, and the search that moves it.
 * Pure.
 *
 * At the start, and after HOME, the cursor is on the first row, whatever task that row shows. Any
 * other move puts the cursor on a task, where it stays when the order of rows changes; with
 * by_place it keeps its place in the list instead. If the task disappears, the cursor keeps its
 * place, too. The list scrolls only as far as needed to show the current row.
 *
 * Invariant: after cursor_fit() with a frame that has rows, index < frame->n, and `row` identifies
 * the row at this index. cursor_fit() ignores a frame without rows: they may be missing only for a
 * short time.
 */
#ifndef TUI_CURSOR_H
#define TUI_CURSOR_H

#include "tui/canvas.h"
#include "tui/key.h"
#include "view/frame.h"
#include "view/view.h"

/* A list of n lines, of which [top, top + page) are visible. Painting the list sets n and page. */
struct scroll {
	size_t top, n, page;
	struct scroll_find *find; /* the search in the lines; NULL: none */
};

/* A search for a text in lines. Painting the lines scrolls to the match. */
struct scroll_find {
	char text[REQUEST_TEXT_MAX];
	/* What to find next: 1: the first match from line `from` on; -1: the last match before
	 * `from`; 0: nothing. */
	int seek;
	size_t from;
	size_t origin; /* the line where the search began: cancelling returns to it */
	bool missed;   /* no line matches */
};

/* Sets *line to the next match among n lines, in the direction of `seek`, wrapping around at the
 * ends; if the text is empty, sets *line to the origin. has: returns whether line i matches. */
void scroll_find_line(struct scroll_find *find, size_t n, size_t *line,
		      bool (*has)(const void *context, size_t i, const char *text),
		      const void *context);
/* Sets n and page, and decreases top if the page would not be full. */
void scroll_fit(struct scroll *s, size_t n, size_t page);
/* Moves top so that line i is visible. */
void scroll_show(struct scroll *s, size_t i);
/* Returns the line to which a key moves from line i of n. The result may be n or more; the caller
 * limits it. */
size_t scroll_move(size_t i, size_t n, size_t page, int key);
/* Scrolls text by a key: UP DOWN PGUP PGDN HOME END. PGUP and PGDN keep one line of the old page
 * visible. */
void scroll_text(struct scroll *s, int key);

struct cursor {
	struct row_id row; /* the current row; row.kind NULL: none yet */
	size_t index;      /* the place of that row in the frame */
	bool held;     /* the user has put the cursor on a row; false: it stays on the first row */
	bool by_place; /* the cursor stays on its place, not on its task */
	bool follows;  /* the cursor stays on its task in spite of by_place, until a key moves it */
};

/* Moves the cursor by a key: UP DOWN PGUP PGDN HOME END. Scrolls `rows` so that the cursor stays
 * visible; PGUP and PGDN scroll by a page. Returns false if nothing changed. */
bool cursor_key(struct cursor *c, struct scroll *rows, const struct frame *frame, int key);
/* Puts the cursor on row i of the frame, and stops following a task. */
void cursor_put(struct cursor *c, const struct frame *frame, size_t i);
/* Moves the cursor back to the first row, as at the start. */
void cursor_reset(struct cursor *c);
/* Finds the current row in a new frame; if it is missing there, keeps the place of the cursor. */
void cursor_fit(struct cursor *c, const struct frame *frame);
/* Returns the current row; NULL: none. */
const struct frame_row *cursor_row(const struct cursor *c, const struct frame *frame);
/* Returns the row that keys act on: the current row; or the first watched row, if there is one and
 * the user has not put the cursor on a row (`held`). NULL: the frame has no rows. */
const struct frame_row *cursor_subject(const struct cursor *c, const struct frame *frame);

/* ---- search ----
 *
 * Searches a text in the rows: in the id, the user, and the text of COMMAND (name or command line).
 * The case of ASCII letters is ignored. Pure.
 *
 * Parameter `arguments`: COMMAND has arguments after names (layout.h).
 *
 * While the text is typed, the cursor is on the first match from the row where the search began;
 * cancelling the search returns the cursor to that row. An accepted search stays active until the
 * user ends it. A search without a match waits until a matching row appears, or until the user
 * moves the cursor.
 */

struct search {
	char text[REQUEST_TEXT_MAX]; /* "": no search */
	bool typing;
	bool waits; /* no row matches so far: the cursor moves to the first row that will match */
	struct cursor from; /* the cursor when the search began */
};

void search_begin(struct search *s, const struct cursor *from);
/* Sets the text and moves the cursor to the first match; matches in arguments are used only if
 * there are no others. Returns false if no row matches; the cursor is then where the search
 * began. */
bool search_type(struct search *s, const char *text, bool arguments, struct cursor *c,
		 const struct frame *frame);
/* Moves the cursor to the next match (direction 1) or the previous one (-1), wrapping around.
 * Returns false if no row matches. */
bool search_step(const struct search *s, int direction, bool arguments, struct cursor *c,
		 const struct frame *frame);
/* If the search waits for a match, moves the cursor to the first match. Returns false if the cursor
 * was not moved. */
bool search_resume(struct search *s, bool arguments, struct cursor *c, const struct frame *frame);
/* Ends the typing; the search stays active. */
void search_accept(struct search *s);
/* Ends the search, and moves the cursor back to the row where the search began. */
void search_cancel(struct search *s, struct cursor *c, const struct frame *frame);

bool search_matches(const struct search *s, const struct frame_row *row, bool arguments);
/* Lays LOOK_MATCH over each occurrence of the text in the columns [x, end) of line y. */
void search_mark(const char *text, struct canvas *c, int x, int y, int end);

#endif
