/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * keymap - the table of keys and their actions, and the user's bindings, which override those of
 * the table: a named set of keys, such as those of htop, and single keys. Pure.
 *
 * A key has one action: of several bindings of the same key, the last one is in effect.
 */
#ifndef TUI_KEYMAP_H
#define TUI_KEYMAP_H

#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"
#include "base/strbuf.h"
#include "screen/screen.h"
#include "tui/ui_state.h"
#include "view/view.h"

/* ---- table of keys ----
 *
 * The table of keys: for each action its keys, the panels in which they work, and its texts in the
 * help, the footer and the manual. keys.c has the rows.
 */

struct key_row;

typedef unsigned key_act(const struct key_row *row, struct ui_state *ui, struct view *view,
			 const struct screen_list *screens);

/* The purpose of a key. The help has a heading for each purpose. */
enum key_group {
	KEYS_NO_GROUP, /* a row without a group is a mistake */
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

/* Bits of key_row.first. The help begins with the few keys that a new user needs: on the live
 * screen, or in a recording. */
#define FIRST_LIVE   1u
#define FIRST_REPLAY 2u

/* When the footer shows the hint of a key. */
enum hint_place {
	HINT_TABLE,  /* always */
	HINT_SEARCH, /* during a search */
	HINT_MEMBERS /* while the members of a group are listed */
};

/* An action and its keys. */
struct key_row {
	const char *action;     /* the name of the action in tiptoprc */
	const char *keys;       /* the names of its keys, separated by blanks: "h ? F1" */
	const char *help;       /* one sentence without a full stop */
	const char *hint;       /* one or two words for the footer; NULL: not in the footer */
	const char *group_hint; /* the hint when rows are groups; NULL: `hint` */
	enum hint_place hint_at;
	bool pair;         /* the hint names the first key of the next row, too */
	unsigned reaction; /* the reactions if act() changes something (enum reaction) */
	/* PANEL_BIT()s of the panels in which the action works. Unless only_panels is set, it also
	 * works while no panel is open. */
	unsigned panels;
	bool only_panels; /* works in `panels` only; elsewhere, its keys may have another action */
	bool acts;        /* changes something outside tiptop: refused with --readonly */
	bool only_replay; /* works in a recording only */
	/* Why it does nothing in a recording; NULL: it works in recordings. */
	const char *not_in_replay;
	enum key_group group;
	/* Among the first keys of the help: FIRST_LIVE, FIRST_REPLAY, or both; else 0. */
	unsigned first;
	key_act *act;
	/* The argument for act(), with another meaning for each function (key_act.h): a direction,
	 * a panel, a kind of request, the offset of a bool in struct view, or others. */
	long arg;
};

extern const struct key_row key_table[];
extern const size_t key_table_n;

/* ---- keymap ---- */

#define KEYMAP_MAX 256

struct keymap {
	struct {
		int key;
		const struct key_row *row; /* NULL: the key does nothing */
	} v[KEYMAP_MAX];
	size_t n;
};

/* Binds the key with this name to the action with this name; the action "none": the key does
 * nothing. Returns -EINVAL with a sentence if there is no such key or action, or if there are too
 * many bindings. */
int keymap_bind(struct keymap *m, const char *key, const char *action, struct err *err);
/* Replaces all bindings by those of a set: "tiptop" (no bindings, so that key_table applies) or
 * "htop". Returns -EINVAL with a sentence if there is no such set. */
int keymap_use(struct keymap *m, const char *set, struct err *err);

/* Returns the action of a key in this panel; NULL: none. m: the bindings of the user; NULL:
 * none. */
const struct key_row *keymap_find(const struct keymap *m, int key, enum panel panel);
/* Returns the action with this name; NULL if it does not exist or does not work in this panel. */
const struct key_row *keymap_find_action(const char *action, enum panel panel);
/* Appends the names of the action's keys, separated by blanks. most: the maximum number of
 * names. */
void keymap_add_keys(const struct keymap *m, const struct key_row *row, size_t most,
		     struct strbuf *out);
/* Appends the name of the first key of the action with this name; nothing if it has no key. */
void keymap_add_key_of(const struct keymap *m, const char *action, struct strbuf *out);
/* Appends a text in which each KEY_OF() (view.h) is replaced by the first key of the action. */
void keymap_add_text(const struct keymap *m, const char *text, struct strbuf *out);
/* Writes such a text to `out`, cut to this size. */
void keymap_copy_text(const struct keymap *m, const char *text, char *out, size_t size);
/* Shows a message in the last line, with keys as in keymap_add_text(). */
void keymap_say(struct ui_state *ui, const char *text);

#endif
