/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * prompt - a line in which the user types an answer; pure.
 *
 * The initial text is selected at first: what is typed replaces it, moving the cursor
 * keeps it for editing.
 *
 * Text is UTF-8. A character that would make it too long is not taken, nor are bytes that
 * make no character.
 *
 * Invariants: text is terminated, len is its length in bytes; cursor <= len is where a
 * character starts.
 */
#ifndef TUI_PROMPT_H
#define TUI_PROMPT_H

#include <stdbool.h>
#include <stddef.h>

#include "tui/canvas.h"
#include "tui/live.h"

enum prompt_state { PROMPT_OPEN, PROMPT_ACCEPTED, PROMPT_CANCELLED };

struct prompt {
	const char *label; /* a string of the caller */
	char text[REQUEST_TEXT_MAX];
	size_t len, cursor;
	bool selected;
	char partial[4]; /* the first bytes of a character whose others have not come yet */
	size_t n_partial;
};

void prompt_open(struct prompt *p, const char *label, const char *initial);
/* Takes one key (enum key_code). Keys that have no meaning here change nothing. */
enum prompt_state prompt_key(struct prompt *p, int key);
/* The column of a canvas of this width at which the byte `at` of the text is painted, or would be.
 */
int prompt_column(const struct prompt *p, int width, size_t at);
/* Paints label and text on line y; of a text that is too long, the part around the cursor; else the
 * keys that end it. */
void prompt_paint(const struct prompt *p, struct canvas *c, int y);

#endif
