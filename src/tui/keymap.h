/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * keymap - the user's bindings of keys to actions, which override those of key_table: a set of keys
 * known from another program, and single keys. Pure.
 *
 * A key has one action: binding it takes it from its previous action. Later bindings win.
 */
#ifndef TUI_KEYMAP_H
#define TUI_KEYMAP_H

#include "base/err.h"
#include "base/strbuf.h"
#include "tui/key_row.h"

#define KEYMAP_MAX 256

struct keymap {
	struct {
		int key;
		const struct key_row *row; /* NULL: the key does nothing */
	} v[KEYMAP_MAX];
	size_t n;
};

/* Binds the key with this name to the action with this name; "none": to no action. -EINVAL with a
 * sentence: no such key or action, or too many bindings. */
int keymap_bind(struct keymap *m, const char *key, const char *action, struct err *err);
/* Replaces all bindings by those of a set: "tiptop", as in key_table, or "htop". -EINVAL
 * likewise. */
int keymap_use(struct keymap *m, const char *set, struct err *err);

/* Returns the action of a key in this panel; NULL: none. m: NULL: no bindings of the user. */
const struct key_row *keymap_find(const struct keymap *m, int key, enum panel panel);
/* Returns the action with this name; NULL if it does not exist or does not work in this panel. */
const struct key_row *keymap_find_action(const char *action, enum panel panel);
/* Appends the names of at most this number of keys of the action, separated by blanks. */
void keymap_add_keys(const struct keymap *m, const struct key_row *row, size_t most,
		     struct strbuf *out);
/* Appends the first key of the action with this name, if any. */
void keymap_add_key_of(const struct keymap *m, const char *action, struct strbuf *out);

#endif
