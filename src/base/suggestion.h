/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * suggestion - which of the known names a mistyped one may have been meant to be.
 *
 *   struct suggestion s;
 *   suggestion_begin(&s, "sytem");
 *   suggestion_offer(&s, "system");       for each known name
 *   suggestion_text(&s)                   " (did you mean 'system'?)", or ""
 *
 * The distance of two names is the least number of characters to put in, leave out or change, and
 * of neighbours to swap, capital or small (the optimal string alignment distance). A quarter of the
 * typed name at most, rounded up, is near. Of names with the same distance the first one is taken;
 * the typed name itself is none.
 */
#ifndef BASE_SUGGESTION_H
#define BASE_SUGGESTION_H

#include <stddef.h>

#define SUGGESTION_NAME_MAX 128

struct suggestion {
	char name[SUGGESTION_NAME_MAX + 1]; /* "": too short or too long for one */
	char best[SUGGESTION_NAME_MAX + 1]; /* "": none is near so far */
	size_t limit;                       /* a name with a greater distance is not near */
	char text[SUGGESTION_NAME_MAX + 32];
};

void suggestion_begin(struct suggestion *s, const char *name);
/* The same for the first `len` characters. */
void suggestion_begin_part(struct suggestion *s, const char *name, size_t len);
void suggestion_offer(struct suggestion *s, const char *known);
/* Compares with another typed name from now on, within the distance of the best so far. */
void suggestion_retype(struct suggestion *s, const char *name);
/* The nearest one; NULL: none is near. Valid as long as the struct. */
const char *suggestion_best(const struct suggestion *s);
/* To stand behind the name in a sentence. Valid as long as the struct. */
const char *suggestion_text(struct suggestion *s);
/* The same with this, at most 8 characters, before the name: "--". */
const char *suggestion_prefixed(struct suggestion *s, const char *prefix);

#endif
