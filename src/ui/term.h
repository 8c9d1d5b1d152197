/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * term - the terminal: the one module that touches ncurses, and the one with state of its own in
 * the file (what a crash has to put back).
 *
 * There is at most one, as in ncurses. From term_open() to term_close() the terminal shows the
 * other screen, without echo and cursor. ncurses' own signal handlers are not used: signals belong
 * to the caller, who blocks those that it takes. One that ends the program otherwise finds the
 * terminal restored. While SIGINT, SIGTERM, SIGHUP or SIGQUIT wait to be taken, a terminal that
 * takes no output does not hold the caller: the output is dropped.
 */
#ifndef UI_TERM_H
#define UI_TERM_H

#include <stdbool.h>

#include "base/err.h"
#include "ui/canvas.h"

/* Takes standard input and output. -ENOTTY: they are no terminal; -ENOENT: a type of terminal
 * that cannot be used. */
int term_open(struct err *err);
/* at_once: what the terminal does not take soon is dropped. */
void term_close(bool at_once);

/* Where keys come from. */
int term_fd(void);
void term_size(int *width, int *height);
/* Takes over the terminal's present size, and draws each cell anew at the next term_show(). */
void term_resize(void);
/* Shows the canvas: writes the cells that changed. `redraw`: all of them. */
void term_show(const struct canvas *c, bool redraw);
/* The next key that is waiting (see enum key_code); false: none. */
bool term_read_key(int *key);
/* From now on Ctrl-C is a key (true), or SIGINT again. */
void term_take_interrupt(bool take);
/* Where no key was there: the terminal has gone away, or is not ours any more; nothing will ever
 * be read from it. */
bool term_lost(void);

void term_suspend(void);
void term_resume(void);

/* Puts the terminal back as well as can be; async-signal-safe, for handlers of fatal signals.
 * Nothing where it is not taken. */
void term_emergency(void);

#endif
