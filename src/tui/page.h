/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * page - the panel of the page of one row (view/page.h). Pure.
 *
 * Labels of a section stand in a column of their own, as wide as the longest of them, where there
 * is room for it.
 */
#ifndef TUI_PAGE_H
#define TUI_PAGE_H

#include "tui/canvas.h"
#include "tui/keys.h"
#include "view/page.h"

/* Paints the page over the whole canvas, and fits the scrolling to the number of its lines. page
 * NULL, or one without a title: it has not been built yet. Above its lines stand the curves, where
 * there are some. */
void page_paint(struct canvas *c, struct ui_state *ui, const struct page *page,
		const struct curves *curves);
/* The same of what happened, on which nothing is drawn. */
void page_paint_text(struct canvas *c, struct ui_state *ui, const struct page *page);

#endif
