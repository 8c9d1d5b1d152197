/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tui/key.h"

#include <stdio.h>
#include <string.h>

/* ---- names ---- */

/* If several keys have the same name, key_name_parse() returns the first of them. */
static const struct {
	int key;
	const char *name;
} named[] = {
	{' ', "SPACE"},
	{KEYCODE_ENTER, "Enter"},
	{'\n', "Enter"},
	{KEYCODE_TAB, "Tab"},
	{KEYCODE_S_TAB, "S-Tab"},
	{KEYCODE_BACKSPACE, "Backspace"},
	{KEYCODE_CTRL_H, "Backspace"},
	{KEYCODE_DELETE, "Delete"},
	{KEYCODE_ESC, "ESC"},
	{KEYCODE_UP, "UP"},
	{KEYCODE_DOWN, "DOWN"},
	{KEYCODE_LEFT, "LEFT"},
	{KEYCODE_RIGHT, "RIGHT"},
	{KEYCODE_PGUP, "PGUP"},
	{KEYCODE_PGDN, "PGDN"},
	{KEYCODE_HOME, "HOME"},
	{KEYCODE_END, "END"},
	{KEYCODE_S_LEFT, "S-LEFT"},
	{KEYCODE_S_RIGHT, "S-RIGHT"},
	{KEYCODE_DIGIT, "0-9"},
};

#define N_NAMED (sizeof named / sizeof *named)

const char *key_name_of(int key, char letter[KEY_NAME_MAX])
{
	for (size_t i = 0; i < N_NAMED; i++)
		if (named[i].key == key)
			return named[i].name;
	*letter = '\0';
	if (key >= KEYCODE_F1 && key <= KEYCODE_F12)
		snprintf(letter, KEY_NAME_MAX, "F%d", key - KEYCODE_F1 + 1);
	else if (key > 0 && key < KEYCODE_ESC)
		snprintf(letter, KEY_NAME_MAX, "Ctrl-%c", key | 0x40);
	else if (key > ' ' && key < KEYCODE_BACKSPACE)
		snprintf(letter, KEY_NAME_MAX, "%c", key);
	return letter;
}

static int parse_function_key(const char *text, size_t len)
{
	int number = 0;

	if (len < 2 || len > 3 || *text != 'F' || text[1] == '0')
		return -1;
	for (size_t i = 1; i < len; i++) {
		if (text[i] < '0' || text[i] > '9')
			return -1;
		number = number * 10 + (text[i] - '0');
	}
	return number <= 12 ? KEYCODE_F1 + number - 1 : -1;
}

int key_name_parse(const char *text)
{
	static const char ctrl[] = "Ctrl-";
	size_t len = strcspn(text, " "), n = strlen(ctrl);

	if (len == 1 && *text > ' ' && *text < KEYCODE_BACKSPACE)
		return *text;
	for (size_t i = 0; i < N_NAMED; i++)
		if (strlen(named[i].name) == len && !strncasecmp(named[i].name, text, len))
			return named[i].key;
	if (len == n + 1 && !strncasecmp(text, ctrl, n) && text[n] >= 'A' && text[n] <= 'Z')
		return text[n] & 0x1f;
	return parse_function_key(text, len);
}

bool key_name_in(const char *names, int key)
{
	for (names += strspn(names, " "); *names;
	     names += strcspn(names, " "), names += strspn(names, " ")) {
		int one = key_name_parse(names);

		if (one == key || (one == KEYCODE_DIGIT && key >= '0' && key <= '9'))
			return true;
	}
	return false;
}
