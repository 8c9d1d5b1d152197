/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * winsize - the size of the terminal, as far as it can be believed.
 *
 * No terminal is larger than WINSIZE_WIDTH_MAX and WINSIZE_HEIGHT_MAX: what says so is wrong, and
 * would only make curses ask for the memory.
 */
#ifndef UI_WINSIZE_H
#define UI_WINSIZE_H

#include <stdbool.h>

#define WINSIZE_WIDTH_MAX  2000
#define WINSIZE_HEIGHT_MAX 1000

/* What the terminal says; false: nothing, or what cannot be. */
bool winsize_ask(int fd, int *width, int *height);
/* curses takes its first size from LINES and COLUMNS, or else from the terminal: removes what
 * cannot be, and sets the usual size where the terminal says what cannot be. */
void winsize_check_environment(int fd);

#endif
