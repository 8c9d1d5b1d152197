/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * page - the panel that shows the page of one row (view/page.h). Pure.
 *
 * The labels of a section form a column, which is as wide as the longest label if there is room.
 */
#ifndef TUI_PAGE_H
#define TUI_PAGE_H

#include "tui/canvas.h"
#include "tui/ui_state.h"
#include "view/page.h"

/* Paints the page over the whole canvas, and adapts the scrolling to the number of lines. page
 * NULL, or without a title: paints that the row does not exist any more. curves: painted above the
 * lines; NULL: none. */
void page_paint(struct canvas *c, struct ui_state *ui, const struct page *page,
		const struct curves *curves);
/* Paints a page without curves, such as the story of what happened. page NULL: paints nothing. */
void page_paint_text(struct canvas *c, struct ui_state *ui, const struct page *page);

#endif
