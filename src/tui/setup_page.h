/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * setup_page - the setup: a page to choose, order and add the columns of the current screen, to
 * order, hide and copy screens, to set options, and to hide parts of the live screen. Pure.
 *
 * The page stores no settings. It shows the screens as they are declared; each key makes a copy of
 * the current screen with one change, and requests that the main loop puts this copy in place of
 * the screen (live.h). So everything shown has been compiled, and its counters are open. The
 * previous screen is kept for undo.
 *
 * The page has four panes. A line of the first pane is a column of the current screen, or a column
 * that can be added to it, from another screen or made of a fact or an event. A line of the other
 * panes is a screen, an option, or a part of the live screen.
 */
#ifndef TUI_SETUP_PAGE_H
#define TUI_SETUP_PAGE_H

#include "tui/canvas.h"
#include "tui/panel.h"
#include "tui/ui_state.h"
#include "view/frame.h"
#include "view/view.h"

struct ui_state;

/* An action that has another effect on this page than elsewhere. way: the argument for act(). */
struct setup_key {
	const char *action, *help;
	unsigned (*act)(struct ui_state *ui, const struct view *view, int way);
	int way;
};

extern const struct setup_key setup_key_table[];
extern const size_t setup_key_table_n;

/* Returns the row of an action in setup_key_table; NULL: the action has the same effect as
 * elsewhere. */
const struct setup_key *setup_page_find_key(const char *action);
/* Returns the line to which a key moves from the current line. */
size_t setup_page_move(const struct ui_state *ui, int key);
/* Moves the current line to the match of ui->find, wrapping around. */
void setup_page_seek(struct ui_state *ui);
/* Closes the page; says how many changes are not written. Returns the reactions (enum reaction). */
unsigned setup_page_close(struct ui_state *ui);

/* Checks a column, "NAME = EXPRESSION", and appends to `tell` the value that it would show for the
 * current row. Returns -EINVAL if the column is not valid; err has the place of the error. */
int setup_page_check(const struct ui_state *ui, const char *text, struct strbuf *tell,
		     struct err *err);
/* Checks a name for a copy of the screen on the current line, and appends the effect of the copy to
 * `tell`. Returns -EINVAL if the name is not allowed, -EEXIST if a screen has it. */
int setup_page_check_copy(const struct ui_state *ui, const char *text, struct strbuf *tell,
			  struct err *err);
/* Request a change with the answer of a prompt: set the option on the current line to this value;
 * copy the screen on the current line under this name; add or change this column. Return the
 * reactions (enum reaction). */
unsigned setup_page_set(struct ui_state *ui, const char *text);
unsigned setup_page_copy(struct ui_state *ui, const struct view *view, const char *text);
unsigned setup_page_take(struct ui_state *ui, const struct view *view, const char *text);

void setup_page_paint(struct canvas *c, struct ui_state *ui, const struct frame *frame);

/* ---- panes ----
 *
 * For the files of setup_page only: the panes, and the functions that they share. setup_panes.c has
 * the panes of columns and of screens.
 */

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
