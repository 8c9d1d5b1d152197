/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * key_name - the keys of a terminal and their names in the help, in tiptoprc and in messages. Pure.
 */
#ifndef TUI_KEY_NAME_H
#define TUI_KEY_NAME_H

#include <stdbool.h>
#include <stddef.h>

/* The code of a key: a byte of a character in UTF-8, or one of these constants. */
enum key_code {
	KEYCODE_OTHER = 0, /* any key that tiptop does not know */
	KEYCODE_CTRL_C = 0x03,
	KEYCODE_CTRL_G = 0x07,
	KEYCODE_CTRL_H = 0x08,
	KEYCODE_TAB = 0x09,
	KEYCODE_CTRL_L = 0x0c,
	KEYCODE_ENTER = 0x0d,
	KEYCODE_CTRL_R = 0x12,
	KEYCODE_CTRL_U = 0x15,
	KEYCODE_CTRL_W = 0x17,
	KEYCODE_ESC = 0x1b,
	KEYCODE_BACKSPACE = 0x7f,
	KEYCODE_FIRST = 0x100, /* from here on: keys that are not characters */
	KEYCODE_UP = KEYCODE_FIRST,
	KEYCODE_DOWN,
	KEYCODE_LEFT,
	KEYCODE_RIGHT,
	KEYCODE_PGUP,
	KEYCODE_PGDN,
	KEYCODE_HOME,
	KEYCODE_END,
	KEYCODE_DELETE,
	KEYCODE_S_LEFT,
	KEYCODE_S_RIGHT,
	KEYCODE_S_TAB,
	KEYCODE_F1,
	KEYCODE_F2,
	KEYCODE_F3,
	KEYCODE_F4,
	KEYCODE_F5,
	KEYCODE_F6,
	KEYCODE_F7,
	KEYCODE_F8,
	KEYCODE_F9,
	KEYCODE_F10,
	KEYCODE_F11,
	KEYCODE_F12,
	KEYCODE_MOUSE, /* not a key: an event of the mouse */
	KEYCODE_DIGIT  /* only in key_table: any key from 0 to 9 */
};

/* Returns the name of a key: "F5", "Ctrl-R", "SPACE", "a"; "": the key has no name. The result may
 * point to the buffer `letter`. */
#define KEY_NAME_MAX 8
const char *key_name_of(int key, char letter[KEY_NAME_MAX]);

/* Returns the key whose name begins the text and ends at a blank or the end of the text; -1: no
 * such key. */
int key_name_parse(const char *text);
/* Returns whether the key is in a list of names separated by blanks: "h ? F1". */
bool key_name_in(const char *names, int key);

#endif
