/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * suggestion - finds the known name that a mistyped one was probably meant to be.
 *
 *   struct suggestion s;
 *   suggestion_begin(&s, "sytem");
 *   suggestion_offer(&s, "system");       for each known name
 *   suggestion_text(&s)                   " (did you mean 'system'?)", or ""
 *
 * The distance of two names is the least number of insertions, deletions, changes and swaps of
 * neighbours, regardless of case (the optimal string alignment distance). A name is near if its
 * distance is at most a quarter of the length of the typed name, rounded up. Of names with the same
 * distance the first one wins; the typed name itself is never suggested.
 */
#ifndef BASE_SUGGESTION_H
#define BASE_SUGGESTION_H

#include <stddef.h>

#define SUGGESTION_NAME_MAX 128

struct suggestion {
	/* The typed name; "": too short or too long to be compared. */
	char name[SUGGESTION_NAME_MAX + 1];
	char best[SUGGESTION_NAME_MAX + 1]; /* the nearest known name; "": none is near */
	size_t limit;                       /* the largest distance that still counts as near */
	char text[SUGGESTION_NAME_MAX + 32];
};

void suggestion_begin(struct suggestion *s, const char *name);
/* Begins as suggestion_begin() does, with the first `len` characters of the name. */
void suggestion_begin_part(struct suggestion *s, const char *name, size_t len);
void suggestion_offer(struct suggestion *s, const char *known);
/* Replaces the typed name; only names nearer than the best so far still count. */
void suggestion_retype(struct suggestion *s, const char *name);
/* Returns the nearest name; NULL: none. Valid as long as the struct. */
const char *suggestion_best(const struct suggestion *s);
/* Returns " (did you mean 'system'?)", to follow the typed name in a sentence, or "". Valid as long
 * as the struct. */
const char *suggestion_text(struct suggestion *s);
/* Returns the text of suggestion_text() with a prefix of at most 8 characters, such as "--", before
 * the suggested name. */
const char *suggestion_prefixed(struct suggestion *s, const char *prefix);

#endif
