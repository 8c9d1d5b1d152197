/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * words - splits a command line given as one text into words, without a shell.
 *
 * Blanks, tabs and line breaks separate words. Text in '...' is literal; in "..." a backslash
 * escapes " and \, outside of quotes any character. Nothing else is special: $, *, ~, |, ; and >
 * are ordinary characters.
 */
#ifndef BASE_WORDS_H
#define BASE_WORDS_H

#include "base/err.h"

/* Splits the text into a new array of words, terminated by NULL; words_free() frees it. -EINVAL,
 * with a sentence that begins with `what`: a quote has no end, no character follows a backslash, or
 * there is no word. */
int words_split(char ***out, const char *text, const char *what, struct err *err);
/* Frees the words; words may be NULL. */
void words_free(char **words);

#endif
