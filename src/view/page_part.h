/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * page_part - how a page is written, and its sections.
 */
#ifndef VIEW_PAGE_PART_H
#define VIEW_PAGE_PART_H

#include "view/page.h"

/* While a page is written. */
struct page_writer {
	struct page *page;
	const struct page_input *in;
	const struct frame_row *row;
	struct strbuf text; /* of the line that is being written */
};

/* Ends the line that is in w->text, which is empty then. label NULL: none. */
void page_add(struct page_writer *w, enum page_style style, const char *label);
void page_add_text(struct page_writer *w, enum page_style style, const char *label,
		   const char *text);
/* page_columns.c */
void page_write_columns(struct page_writer *w);
void page_write_events(struct page_writer *w);
void page_write_interference(struct page_writer *w);
void page_write_resctrl(struct page_writer *w);

#endif
