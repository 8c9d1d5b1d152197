/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * saved_word - splits a word of the command line that names the runs of one side: FILE or
 * FILE,FILE,..., where each file is a report or a recording. A recording may be followed by
 * parts, such as ",from=TIME". A name that contains ',' can only be given alone.
 */
#ifndef COMPARE_SAVED_WORD_H
#define COMPARE_SAVED_WORD_H

#include <stdbool.h>

#include "base/err.h"

/* Returns whether the word names several files. */
bool saved_word_is_list(const char *word);
/* Returns whether the first file begins with a JSON object whose first member is this "type". */
bool saved_word_begins(const char *word, const char *type);
/* Calls read() for each file, with its parts, as long as read() returns 0. Returns the result of
 * the last call; 0: the word has no files. -EINVAL: it names a file, with the same parts, twice. */
int saved_word_visit(const char *word,
		     int (*read)(void *context, const char *path, struct err *err), void *context,
		     struct err *err);

#endif
