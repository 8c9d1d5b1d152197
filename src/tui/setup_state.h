/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * setup_state - the change that the setup page (setup_page.h) requests, and the list of changes for
 * undo.
 *
 * Ownership: a change owns its screen and its texts, the state owns its changes.
 */
#ifndef TUI_SETUP_STATE_H
#define TUI_SETUP_STATE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"
#include "base/strbuf.h"
#include "screen/screen.h"

struct frame;
struct frame_row;

/* The kinds of changes of the list of screens. */
enum setup_verb {
	SETUP_PUT, /* replace the screen at the index */
	SETUP_ADD,
	SETUP_TAKE_AWAY
};

/* A change of the list of screens, or of an option. */
struct setup_change {
	enum setup_verb deed;
	size_t index;          /* the index of the screen in the list; not used by SETUP_ADD */
	struct screen *screen; /* the screen as declared; NULL: an option is changed */
	/* For SETUP_ADD and SETUP_TAKE_AWAY: the name of the screen to show if this one is removed
	 * while it is shown. */
	char *shown;
	/* If an option is changed: its name, and its new value. If undo adds a removed screen
	 * again: `value` is the value of the option "screens" before the removal. */
	char *option, *value;
};

void setup_change_free(struct setup_change *c);

/* An option that the page can set. */
struct setting {
	const char *name, *help;
	char *value, *usual; /* the current value, and the default */
	const char **choice; /* [n_choices] the possible values */
	size_t n_choices;    /* 0: the value is a number */
	bool later;          /* a change takes effect at the next start */
};

struct setting_list {
	struct setting *v;
	size_t n, cap;
};

enum setup_pane { SETUP_COLUMNS, SETUP_SCREENS, SETUP_OPTIONS, SETUP_PARTS, N_SETUP_PANES };

/* A callback that evaluates a column, provided by session/, which can bind events. */
struct setup_trial {
	void *context;
	/* Appends the value that a column of a declared screen would show for a row of the frame,
	 * or the reason why it would show none. row NULL: only compiles the column. Returns -EINVAL
	 * if the column is not valid; err has the place of the error, if it is in the
	 * expression. */
	int (*value)(void *context, const struct screen *declared, size_t column,
		     const struct frame *frame, const struct frame_row *row, struct strbuf *out,
		     struct err *err);
};

struct setup_page {
	enum setup_pane pane;
	/* [n]: for undo, changes that restore the previous states, the latest last. */
	struct setup_change *v;
	size_t n, cap;
	/* The change requested from the main loop; all pointers NULL: none. */
	struct setup_change wanted;
	bool back;     /* `wanted` undoes the last change */
	size_t edited; /* the column that is edited, counted from 1; 0: a new column is typed */
	const struct screen_list *screens;
	/* Members of struct live_info with the same names. */
	const struct screen_list *hidden;
	const struct screen_list *choices;
	const struct setup_trial *trial;
	const struct setting_list *settings;
};

void setup_page_done(struct setup_page *p);
/* Records the result of the change `wanted`. done: the main loop has made the change, and has
 * replaced `wanted` by the change that undoes it; false: the change failed. */
void setup_page_changed(struct setup_page *p, bool done);
/* Clears the list for undo, after all changes have been written. */
void setup_page_saved(struct setup_page *p);

#endif
