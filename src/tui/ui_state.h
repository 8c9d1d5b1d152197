/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * ui_state - the state of the live screen, beside the view: panels, the current row, tags, prompts,
 * and the places that can be clicked.
 */
#ifndef TUI_UI_STATE_H
#define TUI_UI_STATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tui/ask.h"
#include "tui/cursor.h"
#include "tui/graph.h"
#include "tui/key.h"
#include "tui/layout.h"
#include "tui/legend.h"
#include "tui/setup_state.h"
#include "view/frame.h"
#include "view/view.h"

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
	struct hits hits; /* the places on the screen that can be clicked */
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
/* Frees what the state owns. */
void ui_state_done(struct ui_state *ui);

#endif
