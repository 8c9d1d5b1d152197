/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * counts - columns of counters, of which several sets may take turns: a type of records for each
 * set.
 *
 *	report_counts_add(&type, &counts, name, n);        declares the columns of a set
 *	report_counts_put(record, &counts, value, n);      fills them
 *
 * JSON has the groups "counts" and, of numbers that are not exact, "quality", by the names of the
 * counters. CSV and text have a column a counter, and CSV "quality" behind them: "pic1:scaled".
 *
 * The columns of one set have its names. With several sets they are numbered, pic0, pic1, ..., and
 * a remark is to name the counters of each record; the last columns of a smaller set are absent.
 */
#ifndef REPORT_COUNTS_H
#define REPORT_COUNTS_H

#include "report/record.h"

struct report_counts {
	int n_sets;
	int n_columns; /* as many as the largest set has */
	/* The heading of the first column, which has no number then; NULL: as the others. */
	const char *first;
};

/* Adds the columns to a type. name: [n] of the set; they are copied. */
void report_counts_add(struct report_own_type *t, const struct report_counts *c,
		       const char *const name[], int n);
/* value: [n], or NULL: the record has no counts. */
void report_counts_put(struct report_record *r, const struct report_counts *c,
		       const struct value *value, int n);
/* Appends the names of the counters of a set: "pic0=cycles,pic1=instructions". */
void report_counts_add_names(const struct report_counts *c, const char *const name[], int n,
			     struct strbuf *out);

#endif
