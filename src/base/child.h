/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * child - a child process: its command line, given as one text, and the wait for its end.
 */
#ifndef BASE_CHILD_H
#define BASE_CHILD_H

#include <sys/types.h>

#include "base/err.h"

/* ---- the end ----
 *
 * A wait that a signal interrupts is resumed. A pid is never signalled after its process was
 * reaped, since it may then belong to another process.
 */

#define CHILD_NO_LIMIT (-1)
#define CHILD_LOST     (-1) /* in place of a status: the child was reaped elsewhere */

/* Waits for the end of the child, at most limit_ms milliseconds (CHILD_NO_LIMIT: without a limit),
 * and reaps it. status: as from waitpid(2); may be NULL. Returns 0; -ETIMEDOUT: the child still
 * runs; -ECHILD: there is no such child. */
int child_await(pid_t pid, int limit_ms, int *status);
/* Waits as child_await() does, then kills a child that still runs. Returns its status, or
 * CHILD_LOST. */
int child_finish(pid_t pid, int limit_ms);

/* ---- words ----
 *
 * A command line is split into words without a shell: blanks, tabs and line breaks separate words.
 * Text in '...' is literal; in "..." a backslash escapes " and \, outside of quotes any character.
 * Nothing else is special: $, *, ~, |, ; and > are ordinary characters.
 */

/* Splits the text into a new array of words, terminated by NULL; words_free() frees it. -EINVAL,
 * with a sentence that begins with `what`: a quote has no end, no character follows a backslash, or
 * there is no word. */
int words_split(char ***out, const char *text, const char *what, struct err *err);
/* Frees the words; words may be NULL. */
void words_free(char **words);

#endif
