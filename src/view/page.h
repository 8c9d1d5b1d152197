/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * page - all that is known of one row, as lines of text. Pure.
 *
 * The sections: verdicts; identity; phases; interference; groups of resctrl; the columns of all
 * screens whose counters are counted now; the events, with their raw counts; facts; threads with
 * the CPUs on which they ran last; the memory of the control group; limits; a long command line.
 * Sections that do not exist for the kind of the row are left out.
 *
 * What was not read is left out, or shown with the reason. When the row has left the samples, its
 * last lines stay, and `note` says so.
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
 * Tables on a page, laid out in the available width. Pure.
 *
 * Cells are written in their columns as far as these fit. The other cells are written below, each
 * after the name of its column, so that nothing is lost on a narrow screen.
 */

struct page_column {
	const char *name;
	int gap, width; /* width 0: the last column, which gets the remaining width */
	bool is_text;   /* left-aligned, and cut if too long; else a number */
};

struct page_table {
	const struct page_column *column;
	int n;
};

/* A row of a table. */
struct page_cells {
	const struct page_table *table;
	const char *const *cell; /* [table->n]; an element NULL: empty; cell NULL: the header */
};

/* The layout of a row. */
struct page_layout {
	struct strbuf fixed; /* the first line */
	int x;               /* width of `fixed` in characters, after which `rest` begins */
	/* Text of the last cell, to be wrapped between x and the width; "": none. */
	const char *rest;
	/* Cells that do not fit, to be wrapped on further lines from column PAGE_TABLE_BELOW on;
	 * empty: none. */
	struct strbuf below;
};

#define PAGE_TABLE_BELOW 4

void page_layout_init(struct page_layout *laid);
void page_layout_done(struct page_layout *laid);
/* Lays out a row. *laid borrows texts of the cells. */
void page_table_layout(struct page_layout *laid, const struct page_cells *row, int width);

/* ---- page ---- */

enum page_style {
	PAGE_TITLE, /* of a section; text only */
	PAGE_TEXT,  /* text only, over the whole width */
	PAGE_HEAD,  /* label and text: the header of the entries below */
	PAGE_ENTRY, /* label and text */
	PAGE_ROW,   /* cells of a table */
};

struct page_line {
	enum page_style style;
	const char *label, *text;
	struct page_cells row; /* of PAGE_ROW */
};

/* A screen with its binding on this machine. */
struct page_screen {
	const struct screen *screen;
	struct binding *binding;
};

/* The input of a page. */
struct page_input {
	const struct frame *frame;
	const struct page_screen *screen; /* all screens that can be shown, in order */
	size_t n_screens;
	const struct detail *detail; /* NULL: the source has none */
	/* Why this machine has no hardware counters; NULL: it has, or a recording is shown. */
	const char *no_counters;
	const struct curves *curves;     /* of the row; NULL: no history is kept */
	const struct page_line *verdict; /* lines with the verdicts about the row, written first */
	size_t n_verdicts;
};

struct page {
	struct row_id of;
	const char *title; /* NULL: not built yet */
	const char *note;  /* a sentence above all else; NULL: none */
	struct page_line *line;
	size_t n, cap;
	struct arena arena;
};

void page_init(struct page *p);
void page_done(struct page *p);
/* Sets the row of the page, and empties it. */
void page_reset(struct page *p, const struct row_id *of);
/* Writes all lines. If the row has left the samples, sets only the note. */
void page_build(struct page *p, const struct page_input *in);

/* ---- raw counts ----
 *
 * The unscaled counts of a row's events, as read from the kernel: sums over the tasks of the row in
 * the current sample.
 *
 * The tasks of a group are its members that pass the filters; those of a collapsed node are the
 * node and its descendants that pass the filters. Counts of tasks that ended before the sample are
 * not kept.
 */

struct raw_count {
	struct count sum;
	int n;        /* tasks that counted the event; 0: see raw_why_none() */
	bool present; /* the row is in the current sample */
};

/* Reads events first to first + n - 1 of the row's set. */
void raw_read(const struct frame *frame, const struct frame_row *row, int first, int n,
	      struct raw_count *out);
/* Returns why no task of the row has counted an event that this machine has. */
const char *raw_why_none(const struct frame_row *row, const struct raw_count *raw);

/* ---- writing ----
 *
 * For page.c and page_columns.c only: each writes some sections.
 */

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
