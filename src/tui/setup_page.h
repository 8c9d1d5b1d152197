/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * setup_page - the setup: a page to choose, order and add the columns of the current screen, to
 * order, hide and copy screens, to set options, and to hide parts of the live screen. Pure.
 *
 * The page has no settings of its own: it shows the screens as they are declared, and each key
 * makes a copy of the current one with one change, which the loop puts in its place (live.h): so
 * everything shown has been compiled, and is counted. The previous screen is kept for undo.
 *
 * A line is a column of the current screen, or one that can be added: of other screens, facts,
 * events; on other panes of the page a screen, an option, or a part of the live screen.
 */
#ifndef TUI_SETUP_PAGE_H
#define TUI_SETUP_PAGE_H

#include "tui/canvas.h"
#include "tui/setup_state.h"
#include "view/frame.h"
#include "view/view.h"

struct ui_state;

/* An action that does something else on this page than elsewhere. way: its argument for act(). */
struct setup_key {
	const char *action, *help;
	unsigned (*act)(struct ui_state *ui, const struct view *view, int way);
	int way;
};

extern const struct setup_key setup_key_table[];
extern const size_t setup_key_table_n;

/* Returns the page's own meaning of an action; NULL: the action does the same as elsewhere. */
const struct setup_key *setup_page_find_key(const char *action);
/* Returns the number of lines that can be selected. */
size_t setup_page_n_lines(const struct ui_state *ui);
/* Returns the line to which a key moves from the current line. */
size_t setup_page_move(const struct ui_state *ui, int key);
/* Moves the current line to the match of ui->find, wrapping around. */
void setup_page_seek(struct ui_state *ui);
/* Closes the page; says how many changes are not written. Returns the reactions. */
unsigned setup_page_close(struct ui_state *ui);

/* Checks a column, "NAME = EXPRESSION", and appends what it would show. -EINVAL: not valid; err has
 * the place. */
int setup_page_check(const struct ui_state *ui, const char *text, struct strbuf *tell,
		     struct err *err);
/* Checks a name for a copy of the current screen. -EINVAL, -EEXIST: not possible. */
int setup_page_check_copy(const struct ui_state *ui, const char *text, struct strbuf *tell,
			  struct err *err);
/* Request a change by the answer of a prompt: the value of the current option, the name of a copy,
 * a column. Return the reactions. */
unsigned setup_page_set(struct ui_state *ui, const char *text);
unsigned setup_page_copy(struct ui_state *ui, const struct view *view, const char *text);
unsigned setup_page_take(struct ui_state *ui, const struct view *view, const char *text);

void setup_page_paint(struct canvas *c, struct ui_state *ui, const struct frame *frame);

#endif
