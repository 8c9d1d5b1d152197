/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tui/term_key.h"

#include <ncurses.h>

#include "base/clock.h"

#define WHEEL_UP   BUTTON4_PRESSED
#define WHEEL_DOWN BUTTON5_PRESSED

void term_key_take_mouse(bool take)
{
	mousemask(take ? BUTTON1_PRESSED | WHEEL_UP | WHEEL_DOWN : 0, NULL);
}

/* curses may read several of what the mouse did before it tells of a key, and gives the last one
 * first. */
static void take_mouse(struct term_mouse *waiting)
{
	const uint64_t now_ms = clock_ns(CLOCK_MONOTONIC) / 1000000;
	MEVENT event;

	while (waiting->n < TERM_MOUSE_MAX && getmouse(&event) == OK) {
		struct mouse *mouse = &waiting->v[waiting->n];

		*mouse = (struct mouse){MOUSE_CLICK, event.x, event.y, now_ms};
		if (event.bstate & (WHEEL_UP | WHEEL_DOWN))
			mouse->kind = event.bstate & WHEEL_UP ? MOUSE_WHEEL_UP : MOUSE_WHEEL_DOWN;
		waiting->n += !!(event.bstate & (BUTTON1_PRESSED | WHEEL_UP | WHEEL_DOWN));
	}
}

/* Characters come byte by byte. */
bool term_key_read(struct term_mouse *waiting, int *key, struct mouse *mouse)
{
	static const struct {
		int curses, key;
	} special[] = {
		{KEY_UP, KEYCODE_UP},
		{KEY_DOWN, KEYCODE_DOWN},
		{KEY_LEFT, KEYCODE_LEFT},
		{KEY_RIGHT, KEYCODE_RIGHT},
		{KEY_PPAGE, KEYCODE_PGUP},
		{KEY_NPAGE, KEYCODE_PGDN},
		{KEY_HOME, KEYCODE_HOME},
		{KEY_END, KEYCODE_END},
		{KEY_DC, KEYCODE_DELETE},
		{KEY_ENTER, KEYCODE_ENTER},
		{KEY_BACKSPACE, KEYCODE_BACKSPACE},
		{KEY_SLEFT, KEYCODE_S_LEFT},
		{KEY_SRIGHT, KEYCODE_S_RIGHT},
		{KEY_BTAB, KEYCODE_S_TAB},
	};
	int got = ERR;

	/* KEY_RESIZE is skipped: resizeterm() puts it in, nobody has pressed it. So is what the
	 * mouse did that is not for us, as that a button went up. */
	while (!waiting->n) {
		got = getch();
		if (got == KEY_MOUSE)
			take_mouse(waiting);
		else if (got != KEY_RESIZE)
			break;
	}
	if (waiting->n) {
		*key = KEYCODE_MOUSE;
		*mouse = waiting->v[--waiting->n];
		return true;
	}
	if (got == ERR)
		return false;
	*key = got < KEYCODE_FIRST ? got : KEYCODE_OTHER;
	if (got >= KEY_F(1) && got <= KEY_F(12))
		*key = KEYCODE_F1 + got - KEY_F(1);
	for (size_t i = 0; i < sizeof(special) / sizeof(special[0]); i++)
		if (special[i].curses == got)
			*key = special[i].key;
	return true;
}
