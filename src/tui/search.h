/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * search - searches a text in the rows: in the id, the user, and the text of COMMAND (name or
 * command line). The case of ASCII letters is ignored. Pure.
 *
 * Parameter `arguments`: COMMAND has arguments behind names (layout.h).
 *
 * While the text is typed, the cursor is on the first match from the row where the search began;
 * cancelling returns to that row. An accepted search stays active until it is ended. A search
 * without a match waits for a matching row to appear, until the user moves the cursor.
 */
#ifndef TUI_SEARCH_H
#define TUI_SEARCH_H

#include "tui/canvas.h"
#include "tui/cursor.h"
#include "tui/request.h"

struct search {
	char text[REQUEST_TEXT_MAX]; /* "": no search */
	bool typing;
	bool waits;         /* no match yet: the cursor moves to the first row that matches */
	struct cursor from; /* the cursor when the search began */
};

void search_begin(struct search *s, const struct cursor *from);
/* Sets the text and moves the cursor to the first match; a match in the name precedes those in
 * arguments. Returns false if there is none: the cursor is where the search began. */
bool search_type(struct search *s, const char *text, bool arguments, struct cursor *c,
		 const struct frame *frame);
/* Moves the cursor to the next match (direction 1) or the previous one (-1), wrapping around.
 * Returns false if no row matches. */
bool search_step(const struct search *s, int direction, bool arguments, struct cursor *c,
		 const struct frame *frame);
/* Moves the cursor to the first match, if the search waits for one. Returns false if there is
 * none. */
bool search_resume(struct search *s, bool arguments, struct cursor *c, const struct frame *frame);
/* Ends the typing; the search stays active. */
void search_accept(struct search *s);
/* Ends the search, and moves the cursor back to where it began. */
void search_cancel(struct search *s, struct cursor *c, const struct frame *frame);

bool search_matches(const struct search *s, const struct frame_row *row, bool arguments);
/* Lays LOOK_MATCH over the text in columns [x, end) of line y. */
void search_mark(const char *text, struct canvas *c, int x, int y, int end);

#endif
