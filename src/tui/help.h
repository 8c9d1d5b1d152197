/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * help - the help panel, drawn from the tables that the program itself uses: the screen's columns,
 * the qualities of numbers, the looks and the keys. Pure.
 */
#ifndef TUI_HELP_H
#define TUI_HELP_H

#include "screen/screen.h"
#include "tui/canvas.h"
#include "tui/ui_state.h"

/* Paints the panel over the whole canvas, and adapts the scrolling to the number of lines. */
void help_paint(struct canvas *c, struct ui_state *ui, const struct screen *screen);

#endif
