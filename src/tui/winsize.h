/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * winsize - the size of the terminal, checked for plausibility.
 *
 * No terminal is larger than WINSIZE_WIDTH_MAX by WINSIZE_HEIGHT_MAX: a larger size is wrong, and
 * would only make curses allocate memory for it.
 */
#ifndef TUI_WINSIZE_H
#define TUI_WINSIZE_H

#include <stdbool.h>

#define WINSIZE_WIDTH_MAX  2000
#define WINSIZE_HEIGHT_MAX 1000

/* Gets the size of the terminal. Returns false if it has none, or an implausible one, which is left
 * in *width and *height. */
bool winsize_ask(int fd, int *width, int *height);
/* Prepares the environment variables LINES and COLUMNS, which curses uses for its first size:
 * removes implausible values, or sets the default size if that of the terminal is implausible. */
void winsize_check_environment(int fd);

#endif
