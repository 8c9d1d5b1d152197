/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * term - the terminal: the one module that touches ncurses, and the only one with mutable data of
 * file scope: what has to be put back after a crash.
 *
 * There is at most one terminal, as in ncurses. From term_open() to term_close() it shows its other
 * screen, without echo and cursor. ncurses' own signal handlers are not used: signals belong to the
 * caller, who blocks those that it takes. A signal that ends the program otherwise finds the
 * terminal restored. While SIGINT, SIGTERM, SIGHUP or SIGQUIT wait to be taken, a terminal that
 * takes no output does not hold up the caller: the output is dropped.
 */
#ifndef TUI_TERM_H
#define TUI_TERM_H

#include <stdbool.h>

#include "base/err.h"
#include "conf/theme.h"
#include "tui/canvas.h"
#include "tui/mouse.h"

/* Takes the terminal at standard input and output. -ENOTTY: they are no terminal; -ENOENT: its type
 * cannot be used. */
int term_open(struct err *err);
/* Gives the terminal back. at_once: output that the terminal does not take soon is dropped. */
void term_close(bool at_once);

/* The descriptor that keys come from. */
int term_fd(void);
void term_size(int *width, int *height);
/* Takes over the terminal's present size, and draws each cell anew at the next term_show(). */
void term_resize(void);
/* From now on, looks are shown by this theme; by the plain one where there are no colours, or the
 * environment variable NO_COLOR says that none are wanted. Both are borrowed. */
void term_use_theme(const struct theme *theme, const struct theme *plain);
/* The one of them that is used. */
const struct theme *term_theme(void);
/* Shows the canvas: writes the cells that changed. `redraw`: all of them. */
void term_show(const struct canvas *c, bool redraw);
/* Whether the mouse is ours; else it is the terminal's own, which selects text with it. A type of
 * terminal that tells nothing of its mouse keeps it. */
void term_set_mouse(bool take);
/* Reads the next key that is waiting (enum key_code). False: there is none. Of KEYCODE_MOUSE,
 * *mouse has what it did. */
bool term_read_key(int *key, struct mouse *mouse);
/* Makes Ctrl-C a key (true), or SIGINT again. */
void term_set_intr(bool take);
/* To be asked where term_read_key() found no key: whether the terminal has gone away, or is no
 * longer ours, so that no key will ever come. */
bool term_lost(void);

void term_suspend(void);
void term_resume(void);

/* Restores the terminal as well as possible, if it is taken; async-signal-safe, for handlers of
 * fatal signals. */
void term_emergency(void);

#endif
