/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * saved_series - reads the refreshes of a report (--format json) into series: of tasks, groups,
 * CPUs, regions, locks or library calls. The report itself declares its columns.
 *
 *   saved_series_open()      then the screen has the columns
 *   saved_series_collect()
 *   saved_series_done()
 *
 * Counts of an interval are made counts per second. The interval in which the last member of a
 * group ended is left out. Rows with the same name in one refresh, such as the processes of a
 * program, are one row: its counts and rates are their sums, its other numbers are unknown
 * (QUALITY_DIFFER). Reports of older versions do not tell which columns are counts: their numbers
 * are taken as they are, and are unknown where rows are put together.
 */
#ifndef COMPARE_SAVED_SERIES_H
#define COMPARE_SAVED_SERIES_H

#include <stdbool.h>

#include "base/err.h"
#include "compare/series.h"
#include "model/group_key.h"
#include "model/sample_machine.h"
#include "screen/screen.h"

struct saved_series {
	char *path;
	/* Its columns have no expressions, but the descriptions of them. COLUMN_OTHER: the kind of
	 * the column is unknown. */
	struct screen *screen;
	enum group_key key; /* by which rows are put together */
	struct sample_machine *machine;
	struct series_list *list; /* while collecting */
	uint64_t end_ns;          /* of the last refresh in the list */
};

/* Returns whether a file, or the first one of a list (saved_word.h), begins like such a report. */
bool saved_series_match(const char *word);
/* Finds the columns and the kind of the rows. -errno with a sentence. Call saved_series_done() in
 * any case. */
int saved_series_open(struct saved_series *s, const char *path, struct err *err);
/* Adds all refreshes to the list, which has columns of the screen. -errno with a sentence. */
int saved_series_collect(struct saved_series *s, struct series_list *list, struct err *err);
void saved_series_done(struct saved_series *s);

#endif
