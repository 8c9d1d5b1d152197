/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * saved_command - reads the runs of a command from reports: from the summary at the end of the
 * output of 'tiptop --format json -- command', which has one run, or with --repeat several runs.
 */
#ifndef COMPARE_SAVED_COMMAND_H
#define COMPARE_SAVED_COMMAND_H

#include "compare/runs.h"

/* Returns whether a word names such reports: FILE, which begins with a summary, or FILE,FILE,...,
 * of which the first has a summary. */
bool saved_command_match(const char *word);
/* Adds the runs of all reports of a word, in order. Returns -errno with a sentence on errors. */
int saved_command_read(struct runs *r, const char *word, struct err *err);

#endif
