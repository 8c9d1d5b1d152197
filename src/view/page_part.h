/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * page_part - internal declarations shared by page.c and page_columns.c.
 */
#ifndef VIEW_PAGE_PART_H
#define VIEW_PAGE_PART_H

#include "view/page.h"

/* The state while a page is written. */
struct page_writer {
	struct page *page;
	const struct page_input *in;
	const struct frame_row *row;
	struct strbuf text; /* the current line */
};

/* Adds the current line, w->text, and empties it. label NULL: none. */
void page_add(struct page_writer *w, enum page_style style, const char *label);
void page_add_text(struct page_writer *w, enum page_style style, const char *label,
		   const char *text);
/* Write sections of the page. The first two are in page_columns.c, the last two in page.c. */
void page_write_columns(struct page_writer *w);
void page_write_events(struct page_writer *w);
void page_write_interference(struct page_writer *w);
void page_write_resctrl(struct page_writer *w);

#endif
