/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * keys - dispatches the keys of the live screen to the actions of the table (key_row.h).
 *
 * keys_apply() is pure: it changes the view and the state of the screen, nothing else.
 */
#ifndef TUI_KEYS_H
#define TUI_KEYS_H

#include <stdbool.h>
#include <stddef.h>

#include "screen/screen.h"
#include "tui/ask.h"
#include "tui/cursor.h"
#include "tui/graph.h"
#include "tui/key_name.h"
#include "tui/layout.h"
#include "tui/legend.h"
#include "tui/search.h"
#include "tui/setup_page.h"
#include "view/frame.h"
#include "view/row_id.h"
#include "view/view.h"

/* ---- hits ----
 *
 * What was painted where, so that a click finds it. Pure.
 *
 * Whoever paints something that can be clicked adds its place. Of two at one place, the later one
 * is on top.
 *
 * Ownership: the list owns its memory; hits_done() frees it.
 */

enum hit_kind {
	HIT_NONE,
	HIT_ROW,  /* what: its index in the frame */
	HIT_NAME, /* the name of a column; what: by what it sorts, view/sort.h */
	HIT_TAB,  /* what: the number of the screen */
	HIT_LINE  /* of a menu; what: its number */
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
/* What stands there; HIT_NONE: nothing that can be clicked. */
struct hit hits_at(const struct hits *h, int x, int y);

/* ---- tags ----
 *
 * The tasks that the user has picked, for keys that are about several. Pure.
 *
 * A tag stays on its task while that is not shown, and goes with it. Only things with a pid can
 * have one.
 *
 * Ownership: the list owns its memory; tags_clear() and tags_done() empty it.
 */

struct tags {
	struct row_id *v;
	size_t n, cap;
	uint32_t number; /* of the sample that tags_fit() has seen last */
};

void tags_clear(struct tags *t);
bool tags_has(const struct tags *t, const struct frame_row *row);
/* The same of a task, which need not be shown. */
void tags_add_task(struct tags *t, const struct task *task);
/* False: it had one, which is gone now. */
bool tags_toggle(struct tags *t, const struct frame_row *row);
/* The task of a tag; NULL: the sample has it no more, or was not asked for it. */
const struct task *tags_find_task(const struct row_id *id, const struct sample *sample);
/* Takes the tags away from tasks that have ended. */
void tags_fit(struct tags *t, const struct frame *frame);

/* ---- keys ---- */

/* A panel covers the whole screen. */
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
	enum panel help_of; /* the panel from which the help was opened */
	size_t help_top;    /* the first line of it that was seen then */
	int key;            /* the key that is being obeyed */
	char digits[8];     /* of a number of a screen, as far as they were typed; "": none */
	bool ignore_enter;  /* the last digit has shown a screen: Enter behind it says no more */
	bool redraw; /* the terminal shows something else than we think: paint each cell anew */
	const struct keymap *keymap; /* NULL: keys do what key_table says */
	struct scroll rows, panel_lines;
	struct cursor cursor; /* the current row */
	size_t menu;          /* the chosen line of a menu */
	/* Where the members of a group are listed: the current row and place that it was. */
	struct cursor group;
	char *only_text; /* of view.only */
	struct tags tags;
	/* Whose descendants are to be tagged as soon as they are known; its kind is NULL: none. */
	struct row_id family;
	struct live_task *tasks; /* what the key that was pressed last is about */
	size_t n_tasks, cap_tasks;
	bool readonly; /* keys that act on the world are refused */
	bool replay;   /* what is shown is a recording */
	struct search search;
	struct scroll_find find; /* the search in a panel */
	/* What was painted last: its rows are those that keys are about. NULL: nothing yet. */
	const struct frame *frame;
	struct hits hits; /* where what can be clicked stands in it */
	/* The last click, if it was on a row or a line of a menu; 0: it was not. */
	uint64_t clicked_ms;
	struct layout layout;
	struct legend legend;
	struct graph_state graph; /* on a page */
	struct setup_page setup;
	struct ask ask;
};

/* Frees what the state owns. */
void ui_state_done(struct ui_state *ui);

struct key_row;

typedef unsigned key_act(const struct key_row *row, struct ui_state *ui, struct view *view,
			 const struct screen_list *screens);

/* What a key is for: the help has a heading for each. */
enum key_group {
	KEYS_NO_GROUP, /* a row without one is a mistake */
	KEYS_REPLAY,
	KEYS_MOVE,
	KEYS_SELECT,
	KEYS_FILTER,
	KEYS_COLUMNS,
	KEYS_VIEWS,
	KEYS_ACT,
	KEYS_RECORD,
	KEYS_PAGE,
	KEYS_PROGRAM,
	N_KEY_GROUPS
};

extern const char *const key_group_title[N_KEY_GROUPS];

/* The few keys that a new user needs stand first in the help. */
#define FIRST_LIVE   1u
#define FIRST_REPLAY 2u

/* What can be done by a key. */
struct key_row {
	const char *action; /* what tiptoprc calls it */
	const char *keys;   /* by which keys it is done: names with blanks between, "h ? F1" */
	const char *help;   /* one sentence without a full stop */
	const char *hint;   /* one or two words for the footer; NULL: it is not there */
	bool pair;          /* the footer names the first key of the next row, too */
	unsigned reaction;  /* the reactions where it changes something, see live.h */
	/* PANEL_BIT()s of the panels in which it works; without a panel it always does. */
	unsigned panels;
	bool only_panels; /* it does not work without one, where its keys may do something else */
	bool acts;        /* on the world: --readonly refuses it */
	bool only_replay; /* it does something in a recording only */
	const char *not_in_replay; /* why it does nothing there; NULL: it does */
	enum key_group group;
	unsigned first; /* where it is one of the first: FIRST_LIVE, FIRST_REPLAY, or both */
	key_act *act;
	/* For act(): a direction, a panel, a kind of request, or the offset of a bool in struct
	 * view. */
	long arg;
};

extern const struct key_row key_table[];
extern const size_t key_table_n;

/* Why it does nothing here; NULL: it does. */
const char *key_refusal(const struct key_row *row, const struct ui_state *ui);

/* Does the action of the key, or says that it has none. Returns the reactions; REACT_NONE if
 * nothing changed. */
unsigned keys_apply(struct ui_state *ui, struct view *view, const struct screen_list *screens,
		    int key);
/* Ends the digits that were typed, as no further one has come in time; Enter means again what it
 * does elsewhere. Returns the reactions. */
unsigned keys_time_out(struct ui_state *ui, struct view *view, const struct screen_list *screens);
/* Does the action with this name, whatever its keys are, if it works in the open panel. Returns the
 * reactions. */
unsigned keys_do(struct ui_state *ui, struct view *view, const struct screen_list *screens,
		 const char *action);

#endif
