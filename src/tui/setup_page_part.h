/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * setup_page_part - the panes of the setup page, and what they share; for the files of that module.
 */
#ifndef TUI_SETUP_PAGE_PART_H
#define TUI_SETUP_PAGE_PART_H

#include "tui/setup_page.h"
#include "tui/sheet.h"
#include "tui/ui_state.h"

/* The column in which the name on a line begins. */
#define SETUP_NAME_COLUMN 2

/* What is needed to paint a pane. */
struct setup_sheet {
	const struct ui_state *ui;
	const struct view *view;
	const struct screen *screen; /* the current screen, as declared */
	const struct setup_pane_row *pane;
	struct setup_lines *lines; /* collects the lines while they are written; NULL: does not */
};

/* The lines that can be selected: all but headings. */
struct setup_lines {
	size_t *y; /* [n] their lines on the sheet */
	size_t n, cap;
	size_t height; /* of the sheet */
};

/* The largest number of key hints of a pane. */
#define SETUP_KEYS_MAX 12

/* A pane is a list of lines, of which one is current: ui->menu. */
struct setup_pane_row {
	const char *title;
	/* hint: the most important keys, for the title of a low screen; the last one closes the
	 * page. keys: all keys, for the last line. */
	const struct key_hint *hint, *keys;
	bool of_screen; /* the title has the name of the current screen */
	/* Writes all lines, each on one line of the sheet; headings may stand between them. Calls
	 * setup_begin_line() before each line that can be selected. */
	void (*write)(struct sheet *s, const void *setup_sheet);
	/* Appends the description of line i: a line with its name and kind, then its meaning. It is
	 * shown below the list, and searched. */
	void (*describe)(struct strbuf *out, const struct setup_sheet *x, size_t i);
	/* The actions on the current line; each returns the reactions. way: -1 back, 1 forward; for
	 * type(), 0 adds or copies, 1 edits. */
	unsigned (*take)(struct ui_state *ui, const struct view *view, int way);
	unsigned (*remove)(struct ui_state *ui, const struct view *view, int way);
	unsigned (*shift)(struct ui_state *ui, const struct view *view, int way);
	unsigned (*type)(struct ui_state *ui, const struct view *view, int way);
	/* Returns the name of what the action "expand" copies on line i; NULL: nothing. */
	const char *(*name_copied)(const struct setup_sheet *x, size_t i);
};

extern const struct setup_pane_row setup_columns, setup_screens;

void setup_begin_line(struct sheet *s, const struct setup_sheet *x);

/* Shows a message in the last line. Returns the reactions. */
unsigned setup_say(struct ui_state *ui, const char *text);
/* Requests a change from the loop; takes ownership of its texts and screen. Returns the
 * reactions. */
unsigned setup_request(struct ui_state *ui, struct setup_change wanted);

#endif
