/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * search - searches a text in the rows: in the id, the user, and the text of COMMAND (name or
 * command line). The case of ASCII letters is ignored. Pure.
 *
 * Parameter `arguments`: COMMAND has arguments after names (layout.h).
 *
 * While the text is typed, the cursor is on the first match from the row where the search began;
 * cancelling the search returns the cursor to that row. An accepted search stays active until the
 * user ends it. A search without a match waits until a matching row appears, or until the user
 * moves the cursor.
 */
#ifndef TUI_SEARCH_H
#define TUI_SEARCH_H

#include "tui/canvas.h"
#include "tui/cursor.h"
#include "tui/key.h"

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
