/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * counts - rows with counts of counters, of which several sets may take turns: a stream of records,
 * of a type for each set.
 *
 *	report_counts_init(&counts, format, n_sets, NULL);
 *	report_counts_name(&counts, set, name, n);           of each set
 *	report_counts_declare(&counts, columns, n, columns behind, n);
 *	report_counts_header(&counts, out);
 *
 *	record = report_counts_begin(&counts, set);
 *	...the columns...
 *	report_counts_put(&counts, record, set, value);
 *	...those behind...
 *	report_counts_write(&counts, out);
 *
 * JSON has the groups "counts" and, of numbers that are not exact, "quality", by the names of the
 * counters. CSV and text have a column a counter, and CSV "quality" behind them: "pic1:scaled".
 *
 * The columns of one set have its names. With several sets they are numbered, pic0, pic1, ..., and
 * a remark is to name the counters of each record; the last columns of a smaller set are absent.
 *
 * With fields that are chosen (choice.h), all formats have these columns, of each set the same.
 */
#ifndef REPORT_COUNTS_H
#define REPORT_COUNTS_H

#include "report/choice.h"
#include "report/format.h"

/* The first columns of a stream: what a row is of, and when. */
#define REPORT_COUNTS_WHEN                                                                         \
	{.id = "type"},                                                                            \
	{                                                                                          \
		.id = "time_s", .csv = "time_s", .csv_digits = 6, .title = "time", .width = 8,     \
		.digits = 3                                                                        \
	}

struct report_counts_set {
	const char **name; /* [n], borrowed texts */
	int n;
	struct report_own_type type;
	struct report_choice choice; /* of `type`; only where `chosen` */
};

struct report_counts {
	enum report_format_id format;
	/* The heading of the first column, which has no number then; NULL: as the others. */
	const char *first;
	struct report_counts_set *set; /* [n_sets] */
	int n_sets;
	int n_columns;        /* as many as the largest set has */
	bool chosen;          /* only some fields are written */
	int current;          /* the set of the row that is written */
	struct report report; /* that row alone */
};

void report_counts_init(struct report_counts *c, enum report_format_id format, int n_sets,
			const char *first);
void report_counts_done(struct report_counts *c);
/* Names the n counters of a set; the texts are borrowed. */
void report_counts_name(struct report_counts *c, int set, const char *const name[], int n);
/* Declares the types of all sets, whose counters have their names: columns before and behind those
 * of the counts. */
void report_counts_declare(struct report_counts *c, const struct report_column *before,
			   size_t n_before, const struct report_column *behind, size_t n_behind);

/* Chooses the fields that are written, in their order: columns of CSV. fields: "time_s,pic0"; NULL:
 * all columns as they are. -EINVAL with a sentence: there is no such field. */
int report_counts_choose(struct report_counts *c, const char *fields, struct err *err);

/* Appends the header, if the format has one. */
void report_counts_header(struct report_counts *c, struct strbuf *out);
/* Begins a row, to be filled. */
struct report_record *report_counts_begin(struct report_counts *c, int set);
/* Fills the columns of the counts. value: of each counter, or NULL: the row has no counts. */
void report_counts_put(const struct report_counts *c, struct report_record *r, int set,
		       const struct value *value);
/* Appends the row, which is filled. */
void report_counts_write(struct report_counts *c, struct strbuf *out);
/* Appends the names of the counters of a set: "pic0=cycles,pic1=instructions". */
void report_counts_add_names(const struct report_counts *c, int set, struct strbuf *out);

#endif
