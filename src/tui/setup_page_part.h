/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * setup_page_part - the panes of the setup page, and the functions that they share; only for the
 * files of the module setup_page.
 */
#ifndef TUI_SETUP_PAGE_PART_H
#define TUI_SETUP_PAGE_PART_H

#include "tui/panel.h"
#include "tui/setup_page.h"
#include "tui/ui_state.h"

/* The column in which the name on a line begins. */
#define SETUP_NAME_COLUMN 2

/* The data to paint a pane. */
struct setup_sheet {
	const struct ui_state *ui;
	const struct view *view;
	const struct screen *screen; /* the current screen, as declared */
	const struct setup_pane_row *pane;
	/* Collects the places of the lines that are written; NULL: the places are not needed. */
	struct setup_lines *lines;
};

/* The places of the lines that can be selected: of all lines but headings. */
struct setup_lines {
	size_t *y; /* [n]: the line of the sheet on which each of them stands */
	size_t n, cap;
	size_t height; /* the number of lines of the sheet */
};

/* The largest number of key hints of a pane. */
#define SETUP_KEYS_MAX 12

/* A pane is a list of lines, of which one is current: ui->menu. */
struct setup_pane_row {
	const char *title;
	/* hint: the most important keys, which the title shows on a low screen; the last of them
	 * closes the page. keys: all keys, for the last line. */
	const struct key_hint *hint, *keys;
	bool of_screen; /* the title has the name of the current screen */
	/* Writes all lines, each on one line of the sheet; headings may stand between them. It must
	 * call setup_begin_line() before each line that can be selected. */
	void (*write)(struct sheet *s, const void *setup_sheet);
	/* Appends the description of line i: a line with the name and kind, then the meaning. The
	 * description is shown below the list, and a search looks into it. */
	void (*describe)(struct strbuf *out, const struct setup_sheet *x, size_t i);
	/* The actions on the current line; each returns the reactions (enum reaction). way: -1
	 * back, 1 forward; for type(), 0 adds or copies, 1 edits. */
	unsigned (*take)(struct ui_state *ui, const struct view *view, int way);
	unsigned (*remove)(struct ui_state *ui, const struct view *view, int way);
	unsigned (*shift)(struct ui_state *ui, const struct view *view, int way);
	unsigned (*type)(struct ui_state *ui, const struct view *view, int way);
	/* Returns the name of the screen that the action "expand" copies on line i; NULL: none. */
	const char *(*name_copied)(const struct setup_sheet *x, size_t i);
};

extern const struct setup_pane_row setup_columns, setup_screens;

void setup_begin_line(struct sheet *s, const struct setup_sheet *x);

/* Shows a message in the last line. Returns the reactions (enum reaction). */
unsigned setup_say(struct ui_state *ui, const char *text);
/* Requests a change from the main loop; takes ownership of the texts and the screen of the change.
 * Returns the reactions (enum reaction). */
unsigned setup_request(struct ui_state *ui, struct setup_change wanted);

#endif
