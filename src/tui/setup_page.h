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
#include "tui/cursor.h"
#include "tui/key_name.h"

struct ui_state;
struct live_info;
struct key_row;

/* What becomes of the list of screens. */
enum setup_verb {
	SETUP_PUT, /* this one takes the place of another one */
	SETUP_ADD,
	SETUP_TAKE_AWAY
};

/* A screen at its place in the list, as it is declared; or an option and its value. */
struct setup_change {
	enum setup_verb deed;
	size_t index;          /* of one that is added, wherever it belongs */
	struct screen *screen; /* NULL: it is an option */
	char *shown; /* of one that is added or taken away: which one is shown without it */
	char *option, *value; /* of one that was taken away: the value of the option "screens" */
};

void setup_change_free(struct setup_change *c);

/* An option that the page can set. */
struct setting {
	const char *name, *help;
	char *value, *usual; /* what it is, and what it is where nobody says otherwise */
	const char **choice; /* what it can be */
	size_t n_choices;    /* 0: a number */
	bool later;          /* it takes effect at the next start */
};

struct setting_list {
	struct setting *v;
	size_t n, cap;
};

enum setup_pane { SETUP_COLUMNS, SETUP_SCREENS, SETUP_OPTIONS, SETUP_PARTS, N_SETUP_PANES };

/* What the page wants to know of those who know events. */
struct setup_trial {
	void *context;
	/* Appends what the column of this declared screen would show of a row of the frame, or why
	 * it would show nothing. row NULL: there is none, and the column is only compiled. -EINVAL:
	 * it is none; the sentence has the place in its expression, where there is one. */
	int (*value)(void *context, const struct screen *declared, size_t column,
		     const struct frame *frame, const struct frame_row *row, struct strbuf *out,
		     struct err *err);
};

struct setup_page {
	enum setup_pane pane;
	/* What was there before each change that was made, the last one last. */
	struct setup_change *v;
	size_t n, cap;
	struct setup_change wanted; /* what the loop is to do; nothing: all is NULL */
	bool back;                  /* that takes back the last change */
	size_t edited; /* the column whose expression is asked for; its number from 1 on */
	const struct screen_list *screens;
	const struct screen_list *hidden;  /* of live_info: those without a tab; NULL: none */
	const struct screen_list *choices; /* of live_info */
	const struct setup_trial *trial;
	const struct setting_list *settings; /* of live_info, too */
};

void setup_page_done(struct setup_page *p);
/* The loop has done what was wanted: `wanted` has what was there before; or it could not. */
void setup_page_changed(struct setup_page *p, bool done);
/* All changes have been written: there is nothing to be taken back any more. */
void setup_page_saved(struct setup_page *p);

/* What keys do here that do something else elsewhere, by the names of their actions. */
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
