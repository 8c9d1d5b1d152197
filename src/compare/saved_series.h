/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * saved_series - reads the refreshes of a report (--format json) into series: of tasks, groups,
 * CPUs, regions, locks or library calls; and the runs of a command from its summary
 * (saved_command). The report itself declares its columns.
 *
 *   saved_series_open()      then the screen has the columns
 *   saved_series_collect()
 *   saved_series_done()
 *
 * Counts of an interval are converted to counts per second. Rows of groups whose last
 * member ended in the interval are left out. Rows with the same name in one refresh, such as the
 * processes of a program, are one row: its counts and rates are their sums, its other numbers are
 * unknown (QUALITY_DIFFER). Reports of older versions do not say which columns are counts: their
 * numbers are not converted, and are unknown if rows are merged.
 */
#ifndef COMPARE_SAVED_SERIES_H
#define COMPARE_SAVED_SERIES_H

#include <stdbool.h>

#include "base/err.h"
#include "compare/runs.h"
#include "compare/series.h"
#include "model/group_key.h"
#include "model/sample_event.h"
#include "screen/screen.h"

/* ---- saved_command ----
 *
 * Reads the runs of a command from reports: from the summary at the end of the
 * output of 'tiptop --format json -- command', which has one run, or with --repeat several runs.
 */

/* Returns whether a word names such reports: FILE, which begins with a summary, or FILE,FILE,...,
 * of which the first has a summary. */
bool saved_command_match(const char *word);
/* Adds the runs of all reports of a word, in order. Returns -errno with a sentence on errors. */
int saved_command_read(struct runs *r, const char *word, struct err *err);

/* ---- saved_series ---- */

struct saved_series {
	char *path;
	/* Columns have descriptions, but no expressions. COLUMN_OTHER: the kind of the column is
	 * unknown. */
	struct screen *screen;
	enum group_key key; /* the key of the rows, by which those of two reports are matched */
	struct sample_machine *machine;
	struct series_list *list; /* while collecting */
	uint64_t end_ns;          /* of the last refresh in the list */
};

/* Returns whether a file, or the first one of a list (saved_report.h), begins like such a report.
 */
bool saved_series_match(const char *word);
/* Reads the columns and the kind of the rows. Returns -errno with a sentence on errors. Call
 * saved_series_done() in any case. */
int saved_series_open(struct saved_series *s, const char *path, struct err *err);
/* Adds all refreshes to the list, whose columns are indexes in the screen. Returns -errno with a
 * sentence on errors. */
int saved_series_collect(struct saved_series *s, struct series_list *list, struct err *err);
void saved_series_done(struct saved_series *s);

#endif
