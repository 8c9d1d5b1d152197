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

/* Sets *width and *height to the size of the terminal, in cells. Returns false if the size is not
 * available, or implausible; an implausible size is set, too. */
bool winsize_ask(int fd, int *width, int *height);
/* Prepares the environment variables LINES and COLUMNS, from which curses takes its initial size.
 * Plausible values stay. Else, the variable is removed if the terminal has a plausible size or
 * none, and set to the default (24, 80) if the terminal has an implausible size. */
void winsize_check_environment(int fd);

#endif
