/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * saved_runs - the reports of one side of a comparison: one, or those of several runs.
 *
 * They are written as one word: the name of a file, or FILE,FILE,... A name with a ',' in it can
 * only stand alone.
 */
#ifndef COMPARE_SAVED_RUNS_H
#define COMPARE_SAVED_RUNS_H

#include "compare/saved_report.h"

struct saved_runs {
	const char *what; /* the word, which is borrowed */
	struct saved *run;
	size_t n, cap;
};

/* Whether the word is of reports, by the first of its files. */
bool saved_runs_are_meant(const char *word);
/* As saved_read(). saved_runs_done() in any case. */
int saved_runs_read(struct saved_runs *r, const char *word, const char *event, struct err *err);
void saved_runs_done(struct saved_runs *r);

#endif
