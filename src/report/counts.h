/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * counts - a stream of rows with counts of counters. Several sets of counters may take turns; each
 * set has its record type.
 *
 *   report_counts_init(&counts, format, n_sets, NULL);
 *   report_counts_name(&counts, set, name, n); for each set
 *   report_counts_declare(&counts, columns before, n, columns after, n);
 *   report_counts_header(&counts, out);
 *   record = report_counts_begin(&counts, set);
 *   ...fill the columns before...
 *   report_counts_put(&counts, record, set, value);
 *   ...fill the columns after...
 *   report_counts_write(&counts, out);
 *
 * JSON has the groups "counts" and, for numbers that are not exact, "quality", by counter name. CSV
 * and text have a column for each counter, followed in CSV by "quality": "pic1:scaled".
 *
 * With one set, the columns have the names of its counters. With several sets they are pic0, pic1,
 * ..., and a remark should name the counters of each record; a smaller set leaves its last columns
 * absent.
 *
 * With chosen fields (choice.h), all formats have these columns, the same for each set.
 */
#ifndef REPORT_COUNTS_H
#define REPORT_COUNTS_H

#include "report/choice.h"
#include "report/format.h"

/* The first columns of a stream: type and time. */
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
	struct report_choice choice; /* from `type`; used only if `chosen` */
};

struct report_counts {
	enum report_format_id format;
	/* The heading of the first column if it is not numbered; NULL: it is. */
	const char *first;
	struct report_counts_set *set; /* [n_sets] */
	int n_sets;
	int n_columns;        /* the size of the largest set */
	bool chosen;          /* only chosen fields are written */
	int current;          /* the set of the current row */
	struct report report; /* holds the current row only */
};

void report_counts_init(struct report_counts *c, enum report_format_id format, int n_sets,
			const char *first);
void report_counts_done(struct report_counts *c);
/* Sets the names of the n counters of a set; the texts are borrowed. */
void report_counts_name(struct report_counts *c, int set, const char *const name[], int n);
/* Declares the types of all sets: columns before the counts, the counts, columns after them. */
void report_counts_declare(struct report_counts *c, const struct report_column *before,
			   size_t n_before, const struct report_column *behind, size_t n_behind);

/* Chooses the CSV columns to write, in this order. fields: "time_s,pic0"; NULL: all columns
 * unchanged. of: the owner of the fields in sentences: "tiptop follow". -EINVAL with a sentence: a
 * field does not exist. */
int report_counts_choose(struct report_counts *c, const char *fields, const char *of,
			 struct err *err);

/* Appends the header, if the format has one. */
void report_counts_header(struct report_counts *c, struct strbuf *out);
/* Begins a row, to be filled by the caller. */
struct report_record *report_counts_begin(struct report_counts *c, int set);
/* Fills the columns of the counts. value: one for each counter; NULL: no counts. */
void report_counts_put(const struct report_counts *c, struct report_record *r, int set,
		       const struct value *value);
/* Appends the filled row. */
void report_counts_write(struct report_counts *c, struct strbuf *out);
/* Appends the names of the counters of a set: "pic0=cycles,pic1=instructions". */
void report_counts_add_names(const struct report_counts *c, int set, struct strbuf *out);

#endif
