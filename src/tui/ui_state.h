/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * ui_state - the state of the live screen, beside the view: panels, the current row, tags, prompts,
 * the setup, and the places that can be clicked; and the data that the main loop gives the screen
 * to show beside the frame.
 */
#ifndef TUI_UI_STATE_H
#define TUI_UI_STATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "base/strbuf.h"
#include "screen/screen.h"
#include "tui/ask.h"
#include "tui/cursor.h"
#include "tui/graph.h"
#include "tui/key.h"
#include "tui/layout.h"
#include "view/frame.h"
#include "view/view.h"

/* ---- setup ----
 *
 * The change that the setup page (setup_page.h) requests, and the list of changes for undo.
 *
 * Ownership: a change owns its screen and its texts, the state owns its changes.
 */

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

/* Records the result of the change `wanted`. done: the main loop has made the change, and has
 * replaced `wanted` by the change that undoes it; false: the change failed. */
void setup_page_changed(struct setup_page *p, bool done);
/* Clears the list for undo, after all changes have been written. */
void setup_page_saved(struct setup_page *p);

/* ---- data beside the frame ----
 *
 * The data that the live screen shows beside the frame. The main loop fills it in; the screen owns
 * none of it.
 */

struct keymap;
struct log;
struct origins;
struct page;
struct setting_list;
struct setup_trial;
struct theme;
struct curves;

struct live_info {
	/* One important sentence above the table (why hardware columns are missing), or NULL. */
	const char *note;
	const char *user; /* the owner of the tasks: "root", a login name; NULL: not shown */
	/* The PMU, with its numbers of general and fixed counters: "skylake 4+3"; NULL: unknown. */
	const char *pmu;
	const char *conf_path; /* the default file for writing the configuration (the key W) */
	const struct keymap *keymap; /* the user's bindings of keys; NULL: none */
	bool readonly;               /* refuse keys that change something outside tiptop */
	bool replay;                 /* a recording is shown */
	bool mouse;                  /* handle clicks and the wheel */
	/* The styles of looks: with colours, and without colours. */
	const struct theme *theme, *plain;
	const struct screen_list *screens;
	const struct filter_list *filters; /* the filters that have names (@NAME) */
	/* The hidden screens, which are not in `screens`; NULL: none. */
	const struct screen_list *hidden;
	/* Screens with the columns that the setup can add; NULL: not known. */
	const struct screen_list *choices;
	/* The options that the setup can change; NULL: not known. */
	const struct setting_list *settings;
	const struct setup_trial *trial; /* for the setup: evaluates a column for a row */
	const struct origins *origins;   /* the events of the counters; NULL: not known */
	const struct page *page;         /* the open page of a row; NULL: none */
	const struct curves *curves;     /* the curves on that page; NULL: none */
	const struct page *what; /* the story of what happened, for PANEL_STORY; NULL: none yet */
	/* The faults so far: the footer shows their number, the key e all of them. */
	const struct log *log;
};

/* ---- hits ----
 *
 * The places on the screen that can be clicked. Pure.
 *
 * Painting adds each place. Where two places overlap, the later one is on top.
 *
 * Ownership: the list owns its memory; hits_done() frees it.
 */

enum hit_kind {
	HIT_NONE,
	HIT_ROW,  /* what: the index of the row in the frame */
	HIT_NAME, /* the name of a column; what: its sort key, view/view.h */
	HIT_TAB,  /* what: the number of the screen */
	HIT_LINE  /* a line of a menu; what: the index of the line */
};

struct hit {
	enum hit_kind kind;
	int what;
};

struct hits {
	struct hit_place {
		int x, y, width;
		struct hit hit;
	} * v;
	size_t n, cap;
};

void hits_done(struct hits *h);
/* Adds the columns [x, x + width) of line y. */
void hits_add(struct hits *h, int x, int y, int width, struct hit hit);
/* Returns what can be clicked at (x, y); HIT_NONE: nothing. */
struct hit hits_at(const struct hits *h, int x, int y);

/* ---- tags ----
 *
 * The tasks that the user has tagged, for keys that act on several tasks. Pure.
 *
 * A tag stays on its task while the task is hidden, and is removed when the task ends. Only rows
 * with a pid can have a tag.
 *
 * Ownership: the list owns its memory; ui_state_done() frees it.
 */

struct tags {
	struct row_id *v;
	size_t n, cap;
	uint32_t number; /* the number of the last sample that tags_fit() has processed */
};

void tags_clear(struct tags *t);
bool tags_has(const struct tags *t, const struct frame_row *row);
/* Tags a task, which may be hidden. */
void tags_add_task(struct tags *t, const struct task *task);
/* Tags a row, or removes its tag; returns whether it is tagged now. */
bool tags_toggle(struct tags *t, const struct frame_row *row);
/* Returns the task of a tag; NULL: the task has ended, or the sample leaves it out. */
const struct task *tags_find_task(const struct row_id *id, const struct sample *sample);
/* Removes the tags of tasks that have ended. */
void tags_fit(struct tags *t, const struct frame *frame);

/* ---- state ---- */

/* The panels, each of which covers the whole screen. */
enum panel {
	PANEL_NONE,
	PANEL_HELP,
	PANEL_ERRORS,
	PANEL_EXPLAIN,
	PANEL_SORT,
	PANEL_PAGE,
	PANEL_STORY,
	PANEL_SETUP
};

#define PANEL_BIT(panel) (1u << (panel))

/* The state of the live screen, beside the view. */
struct ui_state {
	enum panel panel;
	/* The page of a row (PANEL_PAGE), if another panel than the help was opened from it.
	 * Closing that panel returns to the page. */
	enum panel below;
	size_t below_top;     /* the first visible line of the panel below */
	enum panel help_of;   /* the panel from which the help was opened */
	size_t help_top;      /* the first visible line of the panel help_of */
	int key;              /* the key being handled */
	char digits[8];       /* the digits of a screen number typed so far; "": none */
	char digits_shown[8]; /* the number of the screen just shown by a timeout; "": none */
	/* The last digit has completed a screen number: ignore an Enter after it. */
	bool ignore_enter;
	bool redraw;                 /* write every cell to the terminal at the next painting */
	const struct keymap *keymap; /* NULL: the keys of key_table */
	struct scroll rows, panel_lines;
	struct cursor cursor; /* the current row */
	bool expanded;        /* the current row has just been expanded: scroll to its children */
	size_t menu;          /* the selected line of a menu */
	/* While the members of a group are listed: the cursor in the list of groups. */
	struct cursor group;
	char *only_text; /* the text of view.only; owned */
	struct tags tags;
	/* The task that is tagged with its descendants once these are known; family.kind NULL:
	 * none. */
	struct row_id family;
	struct live_task *tasks; /* the tasks that the last key acts on; owned */
	size_t n_tasks, cap_tasks;
	bool readonly; /* refuse keys that change something outside tiptop */
	bool replay;   /* a recording is shown */
	struct search search;
	struct scroll_find find; /* the search in a panel */
	/* The frame painted last, whose rows keys act on; NULL: none yet. */
	const struct frame *frame;
	struct hits hits;   /* the places on the screen that can be clicked */
	enum panel painted; /* the panel painted last, to which `hits` belong */
	/* The time of the last click, in ms, if that was on a row or a line of a menu; else 0. */
	uint64_t clicked_ms;
	struct layout layout;
	struct legend legend;
	struct graph_state graph; /* the graph on the page of a row */
	struct setup_page setup;
	struct ask ask;
};

/* Returns whether a prompt, a question, or a panel that does not show the current moment is open.
 * Until this is closed, the replay of a recording waits. */
bool ui_state_is_away(const struct ui_state *ui);
/* Returns whether the page of a row is open, or will be when the panels above it are closed. */
bool ui_state_has_page(const struct ui_state *ui);
/* Frees what the state owns. */
void ui_state_done(struct ui_state *ui);

#endif
