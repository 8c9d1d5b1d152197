/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * page - the panel of the page of one row (view/page.h). Pure.
 *
 * The labels of a section stand in a column of their own, as wide as the longest of them, if there
 * is room.
 */
#ifndef TUI_PAGE_H
#define TUI_PAGE_H

#include "tui/canvas.h"
#include "tui/ui_state.h"
#include "view/page.h"

/* Paints the page over the whole canvas, and adapts the scrolling to the number of its lines. page
 * NULL, or without a title: the row does not exist any more. The curves, if any, stand above the
 * lines. */
void page_paint(struct canvas *c, struct ui_state *ui, const struct page *page,
		const struct curves *curves);
/* Paints the story of what happened; it has no curves. */
void page_paint_text(struct canvas *c, struct ui_state *ui, const struct page *page);

#endif
