/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * counts - writes a stream of rows that have counts of counters. The rows may alternate between
 * several sets of counters; each set has its own record type.
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
 * JSON has the group "counts" and, if a number is not exact, the group "quality", both with the
 * names of the counters as members. CSV and text have a column for each counter; CSV also has the
 * column "quality": "pic1:scaled".
 *
 * With one set, the columns of the counters have the names of the counters. With several sets they
 * are called pic0, pic1, ..., and each row should have a column "remark" with the names of its
 * counters (report_counts_add_names()). For a set with fewer counters, the last columns are absent.
 *
 * If the user chooses fields (select.h), all formats have only these columns, the same for each
 * set.
 */
#ifndef REPORT_COUNTS_H
#define REPORT_COUNTS_H

#include "report/format.h"
#include "report/select.h"

/* The first columns of a stream: the type of the record, and the time in seconds. */
#define REPORT_COUNTS_WHEN                                                                         \
	{.id = "type"},                                                                            \
	{                                                                                          \
		.id = "time_s", .csv = "time_s", .csv_digits = 6, .title = "time", .width = 8,     \
		.digits = 3                                                                        \
	}

struct anonymous;

struct report_counts_set {
	const char **name; /* [n], borrowed texts */
	int n;
	struct report_own_type type;
	/* converts records of `type`; used only if report_counts.chosen is set */
	struct report_choice choice;
};

struct report_counts {
	enum report_format_id format;
	/* The heading of the first counter's column; pic0 is then the second counter. NULL: pic0 is
	 * the first counter. */
	const char *first;
	struct report_counts_set *set; /* [n_sets] */
	int n_sets;
	int n_columns;               /* the number of counters in the largest set */
	bool chosen;                 /* only chosen fields are written */
	bool page_begun;             /* a page has its beginning: its header is a heading only */
	int current;                 /* the index of the set of the current row */
	struct report report;        /* holds the current row only */
	struct anonymous *anonymous; /* replaces names in rows; NULL: nothing is replaced */
};

void report_counts_init(struct report_counts *c, enum report_format_id format, int n_sets,
			const char *first);
void report_counts_done(struct report_counts *c);
/* Sets the names of the n counters of a set; the texts are borrowed. */
void report_counts_name(struct report_counts *c, int set, const char *const name[], int n);
/* Declares the record types of all sets: the columns `before`, the counts, the columns `behind`. */
void report_counts_declare(struct report_counts *c, const struct report_column *before,
			   size_t n_before, const struct report_column *behind, size_t n_behind);

/* Adds to a type the group "counts" with a column for each of n counters, to read saved records. */
void report_counts_add_group(struct report_own_type *t, const char *const name[], size_t n);

/* Chooses the fields to write, in this order. fields: "time_s,pic0"; NULL: all columns unchanged.
 * of: the command to which sentences refer: "tiptop follow". Returns -EINVAL with a sentence if a
 * field does not exist, or is in the list twice. */
int report_counts_choose(struct report_counts *c, const char *fields, const char *of,
			 struct err *err);

/* Appends the header, if the format has one. */
void report_counts_header(struct report_counts *c, struct strbuf *out);
/* Begins a row, to be filled by the caller. */
struct report_record *report_counts_begin(struct report_counts *c, int set);
/* Fills the columns of the counts. value: one for each counter of the set; NULL: all counts are
 * absent. */
void report_counts_put(const struct report_counts *c, struct report_record *r, int set,
		       const struct value *value);
/* Appends the filled row. */
void report_counts_write(struct report_counts *c, struct strbuf *out);
/* Appends the names of the counters of a set: "pic0=cycles,pic1=instructions". */
void report_counts_add_names(const struct report_counts *c, int set, struct strbuf *out);

#endif
