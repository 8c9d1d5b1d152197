/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * setup_page_part - the panes of the setup page, and what they have in common; for the files that
 * make it up.
 */
#ifndef TUI_SETUP_PAGE_PART_H
#define TUI_SETUP_PAGE_PART_H

#include "tui/keys.h"
#include "tui/live.h"
#include "tui/setup_page.h"
#include "tui/sheet.h"

/* Where texts of a line stand. */
#define SETUP_NAME_COLUMN 2

/* What a pane is painted from. */
struct setup_sheet {
	const struct ui_state *ui;
	const struct view *view;
	const struct screen *screen; /* the present one, as it is declared */
	const struct setup_pane_row *pane;
	struct setup_lines *lines; /* which are noted while they are written; NULL: they are not */
};

/* The lines that can be chosen: all but headings. */
struct setup_lines {
	size_t *y; /* where each stands on the sheet */
	size_t n, cap;
	size_t height; /* of the sheet */
};

/* A pane is a list of lines, of which one is current: ui->menu. */
struct setup_pane_row {
	const char *title;
	/* Its keys that matter most, for the title where there is little room, of which the last
	 * one closes the page; all of them, for the last line. */
	const struct key_hint *hint, *keys;
	bool of_screen; /* the title has the name of the present screen */
	/* Writes all lines, each on one line of the sheet; headings may stand between them.
	 * setup_begin_line() comes before each that can be chosen. */
	void (*write)(struct sheet *s, const void *setup_sheet);
	/* Appends what line i is: a line of its name and its kind, then lines of what it means. It
	 * is what is shown below the list, and what a search looks at. */
	void (*describe)(struct strbuf *out, const struct setup_sheet *x, size_t i);
	/* Each returns the reactions. way: -1 goes back, 1 goes on. */
	unsigned (*take)(struct ui_state *ui, const struct view *view, int way);
	unsigned (*remove)(struct ui_state *ui, const struct view *view, int way);
	unsigned (*shift)(struct ui_state *ui, const struct view *view, int way);
	unsigned (*type)(struct ui_state *ui, const struct view *view, int way);
};

extern const struct setup_pane_row setup_columns, setup_screens;

void setup_begin_line(struct sheet *s, const struct setup_sheet *x);

/* Says it in the last line. */
unsigned setup_say(struct ui_state *ui, const char *text);
/* The loop is to do what the page wants: *wanted, which is taken over. */
unsigned setup_request(struct ui_state *ui, struct setup_change wanted);

#endif
