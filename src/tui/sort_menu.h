/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * sort_menu - the panel in which the user chooses the column to sort by. Each column has a line
 * with its id and description. Pure.
 */
#ifndef TUI_SORT_MENU_H
#define TUI_SORT_MENU_H

#include "tui/canvas.h"
#include "tui/ui_state.h"
#include "view/frame.h"

/* Returns the number of lines. */
size_t sort_menu_n(const struct frame *frame);
/* Returns the sort key of line i (view/view.h). */
int sort_menu_at(const struct frame *frame, size_t i);
/* Returns the line of the current sort key. */
size_t sort_menu_find(const struct frame *frame);
/* Moves ui->menu to the line that matches ui->find by its id, header or description. */
void sort_menu_seek(struct ui_state *ui, const struct frame *frame);
/* Paints the panel over the whole canvas, and adapts the scrolling; ui->menu is the selected
 * line. */
void sort_menu_paint(struct canvas *c, struct ui_state *ui, const struct frame *frame);

#endif
