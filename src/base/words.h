/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * words - a command line that is written as one text, split into its words without a shell.
 *
 * Blanks, tabs and line breaks separate words. '...' is taken as it is; in "..." a backslash stands
 * before " and \ to take them as they are, elsewhere before any character. Nothing else has a
 * meaning: $, *, ~, |, ; and > are characters like all others.
 */
#ifndef BASE_WORDS_H
#define BASE_WORDS_H

#include "base/err.h"

/* Splits the text into new words, ended by a NULL; words_free() frees them. -EINVAL with a sentence
 * that begins with `what`: a quote has no end, nothing stands behind a backslash, or there is no
 * word. */
int words_split(char ***out, const char *text, const char *what, struct err *err);
/* NULL is fine. */
void words_free(char **words);

#endif
