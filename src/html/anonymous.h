/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * anonymous - replaces texts that tell about people and machines by made-up ones: user1, host1.
 *
 * The same text always has the same replacement, by the order in which texts are first used.
 */
#ifndef HTML_ANONYMOUS_H
#define HTML_ANONYMOUS_H

#include <stdbool.h>

#include "base/lookup.h"
#include "base/mem.h"

enum anonymous_of {
	ANONYMOUS_USER,
	ANONYMOUS_CONTAINER,
	ANONYMOUS_HOST,
	ANONYMOUS_RECORDING,
	N_ANONYMOUS_OF
};

/* Initialized with zeros. */
struct anonymous {
	bool on; /* false: nothing is replaced */
	struct hash known[N_ANONYMOUS_OF];
	struct arena arena;
};

void anonymous_done(struct anonymous *a);
/* Returns the replacement of a text, or the text itself if nothing is replaced or it is empty;
 * NULL for NULL. Valid until anonymous_done(). */
const char *anonymous_text(struct anonymous *a, enum anonymous_of of, const char *text);
/* Returns the name of a program: without its folders, and without what a program appends to its own
 * name after a blank ("postgres: alice"). */
const char *anonymous_program(struct anonymous *a, const char *name);

#endif
