/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * change - what locks, library calls or regions have cost on two sides, of one run or of several:
 * by their names, kinds and callers, those first whose time has changed most, or what an event
 * counted.
 *
 * The time of a lock is what all of its acquisitions, holds and releases took; that of a function,
 * what was spent in it; that of a region, what its calls took, those of regions in it included.
 *
 * Of one run each, the margin of a change is that of the mean of so many independent calls (95 %);
 * calls that follow each other resemble each other, and runs differ, too, so what is within it says
 * nothing, and what is not may still be no more than another run would do. Where a side has several
 * runs, each of them is one number: means, deviations and margins are of these
 * (base/variation.h). What does not occur in a run has happened 0 times there.
 *
 * Numbers that are not known are NaN.
 */
#ifndef COMPARE_CHANGE_H
#define COMPARE_CHANGE_H

#include "compare/saved_report.h"
#include "report/select.h"

/* ---- saved runs ----
 *
 * The reports of one side of a comparison: one, or those of several runs.
 *
 * They are written as one word: the name of a file, or FILE,FILE,... A name with a ',' in it can
 * only stand alone.
 */

struct saved_runs {
	const char *what; /* the word, which is borrowed */
	struct saved *run;
	size_t n, cap;
};

/* Whether the word is of reports, by the first of its files. */
bool saved_runs_match(const char *word);
/* As saved_read(). saved_runs_done() in any case. */
int saved_runs_read(struct saved_runs *r, const char *word, const char *event, struct err *err);
void saved_runs_done(struct saved_runs *r);

/* ---- change ---- */

/* One of the two sides. n: so many calls; of several runs, so many of them know it. */
struct saved_figure {
	double n, mean, sd;
};

struct saved_difference {
	struct saved_figure of[2]; /* A and B */
	double change_pct, margin_pct;
};

struct saved_change_row {
	const struct saved_entry *entry[2]; /* A and B, of a run; NULL: it is not in that one */
	double contended_pct[2];
	struct saved_difference count; /* how often */
	struct saved_difference amount[SAVED_AMOUNTS];
	double change; /* all of B less all of A */
	double margin; /* of that */
};

struct saved_change {
	const struct saved_runs *side[2];
	bool several; /* runs of a side */
	const struct saved_type *type;
	const char *unit[SAVED_AMOUNTS]; /* of the amounts that both have; NULL: not both */
	struct saved_change_row *row;
	const char *unit_of_all; /* what the change of all is in; NULL: there is nothing */
	size_t n;
};

/* The reports must outlive it. -EINVAL: they are not of the same. saved_change_done() in any case.
 */
int saved_change_make(struct saved_change *c, const struct saved_runs *a,
		      const struct saved_runs *b, struct err *err);
void saved_change_done(struct saved_change *c);
/* Whether it can be selected so. -EINVAL: there is no such field. */
int saved_change_check(const struct report_selection *s, struct err *err);
/* Adds what was selected of the first n rows to a report that is empty. */
void saved_change_add(struct report *report, const struct saved_change *c, size_t n,
		      const struct report_selection *s);

#endif
