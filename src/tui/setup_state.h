/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * setup_state - the change that the setup page (setup_page.h) requests, and the list for undo.
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

/* The change of the list of screens. */
enum setup_verb {
	SETUP_PUT, /* replace the screen at the index */
	SETUP_ADD,
	SETUP_TAKE_AWAY
};

/* A change of the list of screens, or of an option. */
struct setup_change {
	enum setup_verb deed;
	size_t index;          /* of the screen in the list; SETUP_ADD: not used */
	struct screen *screen; /* as declared; NULL: the change of an option */
	char *shown;           /* for add and take away: the screen shown without this one */
	/* The option and its value; with a screen that was taken away, of the option "screens". */
	char *option, *value;
};

void setup_change_free(struct setup_change *c);

/* An option that the page can set. */
struct setting {
	const char *name, *help;
	char *value, *usual; /* current and default value */
	const char **choice; /* [n_choices] the possible values */
	size_t n_choices;    /* 0: a number */
	bool later;          /* takes effect at the next start */
};

struct setting_list {
	struct setting *v;
	size_t n, cap;
};

enum setup_pane { SETUP_COLUMNS, SETUP_SCREENS, SETUP_OPTIONS, SETUP_PARTS, N_SETUP_PANES };

/* A callback that tries a column, provided by the module that knows the events. */
struct setup_trial {
	void *context;
	/* Appends what a column of a declared screen would show for a row of the frame, or why it
	 * would show nothing. row NULL: the column is only compiled. -EINVAL: not a valid column;
	 * err has the place in its expression, if there is one. */
	int (*value)(void *context, const struct screen *declared, size_t column,
		     const struct frame *frame, const struct frame_row *row, struct strbuf *out,
		     struct err *err);
};

struct setup_page {
	enum setup_pane pane;
	/* For undo: the previous state of each change, the latest last. */
	struct setup_change *v;
	size_t n, cap;
	struct setup_change wanted; /* the change requested from the loop; all NULL: none */
	bool back;                  /* `wanted` undoes the last change */
	size_t edited; /* the column whose expression is edited, from 1 on; 0: a new one */
	const struct screen_list *screens;
	/* As in live_info. */
	const struct screen_list *hidden;
	const struct screen_list *choices;
	const struct setup_trial *trial;
	const struct setting_list *settings;
};

void setup_page_done(struct setup_page *p);
/* Records the result of `wanted`. done: the loop has done it, and put the previous state into
 * `wanted`; false: it failed. */
void setup_page_changed(struct setup_page *p, bool done);
/* Clears the list for undo, after all changes have been written. */
void setup_page_saved(struct setup_page *p);

#endif
