/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * keymap - which keys do what, where that is not as key_table says: by a set of keys that people
 * know from another program, and by single ones. Pure.
 *
 * A key that is given to an action is taken from the one that had it. Later ones win.
 */
#ifndef TUI_KEYMAP_H
#define TUI_KEYMAP_H

#include "base/err.h"
#include "base/strbuf.h"
#include "tui/keys.h"

#define KEYMAP_MAX 256

struct keymap {
	struct {
		int key;
		const struct key_row *row; /* NULL: it has no meaning */
	} v[KEYMAP_MAX];
	size_t n;
};

/* Gives the key of this name to the action of this name; "none": to no one. -EINVAL with a sentence
 * where there is none of the name. */
int keymap_bind(struct keymap *m, const char *key, const char *action, struct err *err);
/* All keys of a set: "tiptop", as key_table says, or "htop". -EINVAL likewise. */
int keymap_use(struct keymap *m, const char *set, struct err *err);

/* What the key does in this panel; NULL: nothing. m: NULL where all is as key_table says. */
const struct key_row *keymap_find(const struct keymap *m, int key, enum panel panel);
/* The action of this name, if it is one in this panel; else NULL. */
const struct key_row *keymap_find_action(const char *action, enum panel panel);
/* Appends the names of the keys that do it, with blanks between: at most so many. */
void keymap_add_keys(const struct keymap *m, const struct key_row *row, size_t most,
		     struct strbuf *out);
/* Appends the first key of the action of this name, if it has one. */
void keymap_add_key_of(const struct keymap *m, const char *action, struct strbuf *out);

#endif
