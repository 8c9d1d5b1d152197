/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * page - all that there is to say of one row, as lines of text. Pure.
 *
 * Who it is; the columns of all screens whose counters are counted now; the events, with their raw
 * counts; facts; threads with the CPUs on which they ran last; the memory of its control
 * group; limits. What is of the kind of the
 * row only stands there where its kind has it.
 *
 * What was not read has no number: it is left out, or stands there with the reason. Of a task that
 * has gone, the last lines stay, and `note` says so.
 *
 * Ownership: lines lie in the arena of the page, and are valid until the next page_build() or
 * page_reset().
 */
#ifndef VIEW_PAGE_H
#define VIEW_PAGE_H

#include <stdbool.h>

#include "base/strbuf.h"
#include "model/detail.h"
#include "view/curve.h"
#include "view/frame.h"

/* ---- table ----
 *
 * The rows of a table on a page, laid in the width that there is. Pure.
 *
 * The cells of a row stand in their columns as long as these have room. The others stand below,
 * each behind the name of its column: nothing is lost on a narrow screen.
 */

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
struct page_layout {
	struct strbuf fixed; /* one line */
	int x;               /* behind it, the column in which `rest` begins */
	const char *rest;    /* wrapped there, up to the width; "": nothing */
	struct strbuf below; /* wrapped below all that, at PAGE_TABLE_BELOW; empty: nothing */
};

#define PAGE_TABLE_BELOW 4

void page_layout_init(struct page_layout *laid);
void page_layout_done(struct page_layout *laid);
/* Lays the row; the texts are those of the cells. */
void page_table_layout(struct page_layout *laid, const struct page_cells *row, int width);

/* ---- page ---- */

enum page_style {
	PAGE_TITLE, /* of a section; text only */
	PAGE_TEXT,  /* text only, over the whole width */
	PAGE_HEAD,  /* label and text: the names of what stands below them */
	PAGE_ENTRY, /* label and text */
	PAGE_ROW,   /* cells of a table */
};

struct page_line {
	enum page_style style;
	const char *label, *text;
	struct page_cells row; /* of PAGE_ROW */
};

/* A screen, and what its counters are on this machine. */
struct page_screen {
	const struct screen *screen;
	struct binding *binding;
};

/* What a page is built of. */
struct page_input {
	const struct frame *frame;
	const struct page_screen *screen; /* all that can be shown, in their order */
	size_t n_screens;
	const struct detail *detail;     /* NULL: the source has none */
	const struct curves *curves;     /* what is drawn of it; NULL: no past is kept */
	const struct page_line *verdict; /* what who judges says of it; stands first */
	size_t n_verdicts;
};

struct page {
	struct row_id of;
	const char *title; /* NULL: nothing was built yet */
	const char *note;  /* one sentence above all else; NULL: there is none */
	struct page_line *line;
	size_t n, cap;
	struct arena arena;
};

void page_init(struct page *p);
void page_done(struct page *p);
/* Whose page it is from now on: nothing is known of it yet. */
void page_reset(struct page *p, const struct row_id *of);
/* Finds the row in the frame, shown there or not, as long as the frame is valid. False: it is not
 * there. What is made for it lies in the arena. */
bool page_find(const struct row_id *of, const struct frame *frame, struct arena *arena,
	       struct frame_row *out);
/* Writes the lines anew; where the row is not there any more, only the note. */
void page_build(struct page *p, const struct page_input *in);

#endif
