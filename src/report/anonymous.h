/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * anonymous - replaces texts that tell about people and machines by made-up ones: user1, host1.
 *
 * The same text always has the same replacement, by the order in which texts are first used.
 *
 * Reports. report_anonymize() replaces the cells of columns whose id is that of a kind of texts
 * ("user", "host", "command"), keeps only the program of a command, and cleans all other texts: a
 * path keeps its last name, and a text replaced before, in this report or by the caller, is
 * replaced wherever it stands as a word. Names of threads are replaced, too; those of programs,
 * functions and locks stay.
 */
#ifndef REPORT_ANONYMOUS_H
#define REPORT_ANONYMOUS_H

#include <stdbool.h>

#include "base/lookup.h"
#include "base/mem.h"
#include "report/report.h"

enum anonymous_of {
	ANONYMOUS_USER,
	ANONYMOUS_CONTAINER,
	ANONYMOUS_HOST,
	ANONYMOUS_RECORDING,
	ANONYMOUS_THREAD,
	N_ANONYMOUS_OF
};

struct anonymous_word;

/* Initialized with zeros. */
struct anonymous {
	bool on; /* false: nothing is replaced */
	struct hash known[N_ANONYMOUS_OF];
	struct anonymous_word *word; /* [n_words] texts that anonymous_clean() replaces */
	size_t n_words, cap_words;
	struct hash clean; /* texts that were cleaned */
	struct arena arena;
};

void anonymous_done(struct anonymous *a);
/* Returns the replacement of a text, or the text itself if nothing is replaced or it is empty;
 * NULL for NULL. Valid until anonymous_done(). */
const char *anonymous_text(struct anonymous *a, enum anonymous_of of, const char *text);
/* Returns the name of a program: without its folders, and without what a program appends to its own
 * name after a blank ("postgres: alice"). */
const char *anonymous_program(struct anonymous *a, const char *name);
/* Returns the name of a program that is the first word of a command: without its folders. */
const char *anonymous_first_word(struct anonymous *a, const char *word);
/* Makes anonymous_clean() replace the whole command by the name of its program, and each of its
 * arguments in another place by "...". */
void anonymous_command(struct anonymous *a, char *const *word);
/* Returns any other text, without folders of paths and with all replacements that are known. Valid
 * until anonymous_done(); NULL for NULL. */
const char *anonymous_clean(struct anonymous *a, const char *text);

/* Replaces the texts of all entries of a report; a may be NULL. */
void report_anonymize(struct report *r, struct anonymous *a);

#endif
