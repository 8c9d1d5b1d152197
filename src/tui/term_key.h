/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * term_key - what the keys and the mouse of a terminal say, as ncurses reads it.
 */
#ifndef TUI_TERM_KEY_H
#define TUI_TERM_KEY_H

#include <stdbool.h>
#include <stddef.h>

#include "tui/mouse.h"

/* What ncurses keeps of what the mouse did. */
#define TERM_MOUSE_MAX 8

/* What the mouse did, the earliest last. */
struct term_mouse {
	struct mouse v[TERM_MOUSE_MAX];
	size_t n;
};

/* Tells the terminal whether its mouse is ours. */
void term_key_take_mouse(bool take);
/* Reads the next key that is waiting (enum key_code). False: there is none. Of KEYCODE_MOUSE,
 * *mouse has what it did; what else it did waits. */
bool term_key_read(struct term_mouse *waiting, int *key, struct mouse *mouse);

#endif
