/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * setup_page_part - the panes of the setup page, and what they have in common; for the files that
 * make it up.
 */
#ifndef UI_SETUP_PAGE_PART_H
#define UI_SETUP_PAGE_PART_H

#include "ui/keys.h"
#include "ui/live.h"
#include "ui/setup_page.h"
#include "ui/sheet.h"

/* Where texts of a line stand. */
#define SETUP_NAME_COLUMN 2

/* What a pane is painted from. */
struct setup_sheet {
	const struct ui_state *ui;
	const struct view *view;
	const struct screen *screen; /* the present one, as it is declared */
};

/* A pane is a list of lines, of which one is current: ui->menu. */
struct setup_pane_row {
	const char *title, *hint; /* hint: its keys */
	bool of_screen;           /* the title has the name of the present screen */
	/* Writes all lines, one a line of the sheet, so that they can be counted. */
	void (*write)(struct sheet *s, const void *setup_sheet);
	/* Each returns the reactions. way: -1 goes back, 1 goes on. */
	unsigned (*take)(struct ui_state *ui, const struct view *view, int way);
	unsigned (*remove)(struct ui_state *ui, const struct view *view, int way);
	unsigned (*shift)(struct ui_state *ui, const struct view *view, int way);
	unsigned (*type)(struct ui_state *ui, const struct view *view, int way);
};

extern const struct setup_pane_row setup_columns, setup_screens, setup_options, setup_parts;

/* Says it in the last line. */
unsigned setup_tell(struct ui_state *ui, const char *text);
/* The loop is to do what the page wants: *wanted, which is taken over. */
unsigned setup_want_change(struct ui_state *ui, struct setup_change wanted);

#endif
