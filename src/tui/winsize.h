/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * winsize - the size of the terminal, as far as it can be believed.
 *
 * No terminal is larger than WINSIZE_WIDTH_MAX and WINSIZE_HEIGHT_MAX: what says so is wrong, and
 * would only make curses ask for the memory.
 */
#ifndef TUI_WINSIZE_H
#define TUI_WINSIZE_H

#include <stdbool.h>

#define WINSIZE_WIDTH_MAX  2000
#define WINSIZE_HEIGHT_MAX 1000

/* Asks the terminal for its size. False: it says nothing, or what cannot be true. */
bool winsize_ask(int fd, int *width, int *height);
/* Prepares LINES and COLUMNS, from which curses takes its first size, if not from the terminal:
 * removes values that cannot be true, and sets the usual size where the terminal says what cannot
 * be true. */
void winsize_check_environment(int fd);

#endif
