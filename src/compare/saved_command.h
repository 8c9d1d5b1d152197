/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * saved_command - reads reports about runs of a command: the summaries that 'tiptop --format json
 * -- command' ends with, each of one run, or with --repeat of several runs.
 */
#ifndef COMPARE_SAVED_COMMAND_H
#define COMPARE_SAVED_COMMAND_H

#include "compare/runs.h"

/* Returns whether a word names such reports: FILE, which begins with a summary, or FILE,FILE,...,
 * of which the first has a summary. */
bool saved_command_match(const char *word);
/* Adds the runs of all reports of a word, in their order. -errno with a sentence. */
int saved_command_read(struct runs *r, const char *word, struct err *err);

#endif
