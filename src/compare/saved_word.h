/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * saved_word - the runs of one side, as a word of the command line: the name of a file, a report or
 * a recording, or FILE,FILE,... Each may be followed by parts of a recording, ",from=TIME". A name
 * that contains ',' can only be given alone.
 */
#ifndef COMPARE_SAVED_WORD_H
#define COMPARE_SAVED_WORD_H

#include <stdbool.h>

#include "base/err.h"

/* Returns whether the word names several files. */
bool saved_word_is_list(const char *word);
/* Returns whether the first file begins like a line of JSON of this type. */
bool saved_word_begins(const char *word, const char *type);
/* Calls read() for each file, with its parts, until it does not return 0. Returns what the last
 * call returned. */
int saved_word_visit(const char *word,
		     int (*read)(void *context, const char *path, struct err *err), void *context,
		     struct err *err);

#endif
