/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * search - looking for a text in what rows say of their task: its id, its user, and what COMMAND
 * shows: its name or command line. Capital and small letters of ASCII are the same. Pure.
 *
 * arguments: COMMAND has those behind names (layout.h).
 *
 * While the text is typed, the current row is the first one with it from where the search began;
 * giving up goes back there. Then the search stands, until it is ended.
 */
#ifndef TUI_SEARCH_H
#define TUI_SEARCH_H

#include "tui/canvas.h"
#include "tui/cursor.h"
#include "tui/live.h"

struct search {
	char text[REQUEST_TEXT_MAX]; /* "": none stands */
	bool typing;
	struct cursor from; /* where it began */
};

void search_begin(struct search *s, const struct cursor *from);
/* Takes a longer or other text. A row that has it in its name comes before those that have it in
 * their arguments. False: no row has it, and the cursor is where the search began. */
bool search_type(struct search *s, const char *text, bool arguments, struct cursor *c,
		 const struct frame *frame);
/* Goes to the next row that has the text, or with a direction of -1 to the one before; the first
 * follows the last. False: no row has it. */
bool search_step(const struct search *s, int direction, bool arguments, struct cursor *c,
		 const struct frame *frame);
/* The text stands. */
void search_accept(struct search *s);
/* The search was not meant: the cursor goes back. */
void search_cancel(struct search *s, struct cursor *c, const struct frame *frame);

bool search_matches(const struct search *s, const struct frame_row *row, bool arguments);
/* Lays LOOK_MATCH over the text in columns [x, end) of line y. */
void search_mark(const char *text, struct canvas *c, int x, int y, int end);

#endif
