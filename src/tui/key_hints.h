/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * key_hints - which keys do what, in a line of a panel. The keys are those of the keymap.
 */
#ifndef TUI_KEY_HINTS_H
#define TUI_KEY_HINTS_H

#include "tui/keymap.h"

struct key_hint {
	const char *action; /* of the key; NULL: behind the last hint */
	const char *text;   /* what it does, in a word or two */
	const char *other; /* the action of the other direction, whose key is named, too; or NULL */
};

/* The hints of a panel. */
struct key_hints {
	const struct keymap *keymap; /* NULL: keys do what key_table says */
	const struct key_hint *hint;
};

/* Appends "Enter takes, Delete removes, q closes", with this text between two hints: of the last
 * one, then of the others from the first one on, all that have room in so many columns, none of
 * them cut. What has no key is left out. */
void key_hints_add(struct strbuf *out, const struct key_hints *hints, const char *between,
		   int room);

#endif
