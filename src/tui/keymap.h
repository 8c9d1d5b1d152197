/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * keymap - the user's bindings of keys to actions, which override those of key_table: a named set
 * of keys, such as those of htop, and single keys. Pure.
 *
 * A key has one action: of several bindings of the same key, the last one is in effect.
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

#endif
