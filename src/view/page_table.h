/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * page_table - the rows of a table on a page, laid in the width that there is. Pure.
 *
 * The cells of a row stand in their columns as long as these have room. The others stand below,
 * each behind the name of its column: nothing is lost on a narrow screen.
 */
#ifndef VIEW_PAGE_TABLE_H
#define VIEW_PAGE_TABLE_H

#include <stdbool.h>

#include "base/strbuf.h"

struct page_column {
	const char *name;
	int gap, width; /* width 0: the last column has what is left */
	bool is_text;   /* it begins at the left, and is cut; else a number */
};

struct page_table {
	const struct page_column *column;
	int n;
};

/* A row. */
struct page_cells {
	const struct page_table *table;
	const char *const *cell; /* [table->n], NULL: it has none; NULL: the names of the columns */
};

/* What was laid of a row. */
struct page_laid {
	struct strbuf fixed; /* one line */
	int x;               /* behind it, the column in which `rest` begins */
	const char *rest;    /* wrapped there, up to the width; "": nothing */
	struct strbuf below; /* wrapped below all that, at PAGE_TABLE_BELOW; empty: nothing */
};

#define PAGE_TABLE_BELOW 4

void page_laid_init(struct page_laid *laid);
void page_laid_done(struct page_laid *laid);
/* Lays the row; the texts are those of the cells. */
void page_table_lay(struct page_laid *laid, const struct page_cells *row, int width);

#endif
