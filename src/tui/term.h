/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * term - the terminal: the only module that uses ncurses, and the only one here with mutable data
 * of file scope: the state that must be restored after a crash.
 *
 * There is at most one terminal, as in ncurses. From term_open() to term_close() it shows its
 * alternate screen, without echo and cursor. ncurses' own signal handlers are not used: signals
 * belong to the caller, which blocks those it handles. At any other signal that ends the program,
 * the terminal is restored first. While SIGINT, SIGTERM, SIGHUP or SIGQUIT are pending, a terminal
 * that takes no output does not block the caller: the output is dropped.
 */
#ifndef TUI_TERM_H
#define TUI_TERM_H

#include <stdbool.h>

#include "base/err.h"
#include "conf/theme.h"
#include "tui/canvas.h"
#include "tui/keys.h"

/* Takes the terminal at standard input and output. Returns -ENOTTY if they are not a terminal,
 * -ENOENT if the type of the terminal cannot be used, or the error of opening the output descriptor
 * and its timer. */
int term_open(struct err *err);
/* Restores the terminal. at_once: drops pending output that the terminal does not accept. */
void term_close(bool at_once);

/* Returns the descriptor that keys come from. */
int term_fd(void);
void term_size(int *width, int *height);
/* Adopts the terminal's current size, and makes the next two term_show() write every cell. */
void term_resize(void);
/* Sets the theme; the plain one is used without colours, or if the environment variable NO_COLOR is
 * set. Both are borrowed. */
void term_use_theme(const struct theme *theme, const struct theme *plain);
/* Returns the theme in use: one of those that term_use_theme() has set. */
const struct theme *term_theme(void);
/* Shows the canvas: writes the cells that changed; redraw: all of them. */
void term_show(const struct canvas *c, bool redraw);
/* Turns mouse events on or off; without them the terminal itself selects text with the mouse. No
 * effect on a terminal type without a mouse in terminfo. */
void term_set_mouse(bool take);
/* Reads the next pending key (enum key_code). Returns false if there is none. For KEYCODE_MOUSE,
 * *mouse is the event. */
bool term_read_key(int *key, struct mouse *mouse);
/* Makes Ctrl-C a key (true), or SIGINT again (false). */
void term_set_intr(bool take);
/* Returns whether the terminal is gone or belongs to other processes, so that no key will ever
 * come. To be called when term_read_key() found no key. */
bool term_lost(void);

void term_suspend(void);
void term_resume(void);

#endif
