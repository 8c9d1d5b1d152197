/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * select - applies --fields, --sort and --rows to a report, for all types and formats.
 *
 * A field is a CSV column, named by its heading; records without CSV columns are not changed. With
 * --fields, all formats show the chosen fields, with the headings of CSV and with numbers in the
 * units of CSV; JSON also has the member "type", unless the report is a list (is_list in report.h).
 *
 * Sections inside a table (report_section()) depend on the order of its records: --fields and
 * --sort remove them. A table with sections that is sorted without --fields shows all its fields,
 * which contain the information of the sections.
 *
 * --sort and --rows apply to each block of consecutive records with the same record type and the
 * same text in the column "type", so that the groups of a report stay together. If the report is a
 * list, the column "type" does not separate blocks.
 *
 * On a terminal, text has the columns and rows that fit (fit), and says which are left out. All
 * fields that the user names are shown.
 */
#ifndef REPORT_SELECT_H
#define REPORT_SELECT_H

#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"
#include "base/strbuf.h"
#include "report/report.h"

/* ---- fit ----
 *
 * Chooses what a terminal shows of a report: as many columns and rows as fit, the most
 * important ones first.
 *
 * Columns are added in the order of their ranks (report.h), up to the first one that does not fit;
 * columns without any value are left out. To let more columns fit, texts are cut down to a fifth of
 * the width (FIT_TEXT); the width that remains in the end widens them again.
 */

/* Columns of texts keep at least 1/FIT_TEXT of the width, and at least FIT_TEXT_MIN characters. */
#define FIT_TEXT     5
#define FIT_TEXT_MIN 8
/* Each block of rows shows at least this many rows, even if they do not fit. */
#define FIT_ROWS 8

struct fit_column {
	int width;    /* of the widest cell, the heading included; set to the width to show */
	int rank;     /* as in report_column */
	bool is_text; /* cells may be cut */
	bool empty;   /* no cell has a value */
	bool shown;   /* the result */
	int wanted;   /* private to select.c */
};

/* Sets `shown` and `width` of the n columns, which are separated by blanks. */
void fit_columns(struct fit_column *column, size_t n, int width);
/* Returns the maximum number of rows to show of each block. n_rows: the rows of each of the n
 * blocks; room: the number of lines for all blocks. */
size_t fit_rows(const size_t n_rows[], size_t n, int room);
/* Appends a text, cut to `width` characters: ".." replaces its middle, as names of functions differ
 * at both ends. */
void fit_cut(struct strbuf *out, const char *text, int width);
/* Appends lines. Breaks those that are wider than `width` at blanks, and begins each further line
 * with "#     ". */
void fit_wrap(struct strbuf *out, const char *lines, int width);

/* ---- choice ----
 *
 * Builds a record type from the columns that the option --fields selects.
 *
 * --fields has a list of fields, separated by commas. A field is a CSV column, named by its
 * heading. All formats show these fields in the order of the list, with the headings of CSV and
 * with numbers in the units of CSV. As headings may contain commas, the longest heading that
 * matches is taken.
 *
 * In text, a column has its declared width, plus the digits that CSV shows beyond those of text; it
 * is at least as wide as its title.
 */

#define REPORT_NO_COLUMN SIZE_MAX

struct report_choice {
	const struct report_type *from; /* borrowed */
	struct report_own_type *to;     /* owned; NULL after the caller has taken it */
	/* [to->type.n]: for each column of `to`, the index of its column in `from`. */
	size_t *column;
	/* [cap]: spare cells, which report_choice_apply() swaps with those of the record. */
	struct report_cell *cell;
	size_t cap;
};

/* Checks a list of fields. Returns -EINVAL with a sentence if the type lacks a field, or if a field
 * is in the list twice. of: the command to which the sentence refers: "tiptop locks". */
int report_choice_check(const char *list, const struct report_type *type, const char *of,
			struct err *err);
/* Adds an empty CSV column for each field of the list that the type lacks. Returns the number of
 * columns added. */
size_t report_choice_complete(struct report_own_type *type, const char *list);
/* Adds an empty CSV column for each CSV heading of `other` that `type` lacks. */
void report_choice_merge(struct report_own_type *type, const struct report_type *other);

/* Builds the type `to` from the fields of a list; ignores fields that `from` lacks. with_type: JSON
 * also has the member "type". mark: a prefix of the first title in text, such as "#"; "": no
 * prefix. */
void report_choice_init(struct report_choice *c, const struct report_type *from, const char *list,
			bool with_type, const char *mark);
void report_choice_done(struct report_choice *c);
/* Converts a filled record from type `from` to type `to`. Allocates memory only if the spare cells
 * are too few. */
void report_choice_apply(struct report_choice *c, struct report_record *r);

/* ---- select ---- */

struct anonymous;

struct report_selection {
	/* "name,calls": the fields to show, in this order; NULL: all columns unchanged. */
	const char *fields;
	/* "calls", "calls:asc" or "calls:desc"; NULL: not sorted. Without a direction, numbers are
	 * descending and texts ascending. Unknown values come last. */
	const char *sort;
	size_t rows; /* maximum number of records of a block; 0: all */
	/* The size of the terminal that shows the report as text; width 0: the report is written to
	 * a file or pipe, or in another format. fits_rows: shows only the records of each block
	 * that fit. */
	int width, height;
	bool fits_rows;
	struct anonymous *anonymous; /* replaces names in the chosen records; NULL: names stay */
	const char *of;              /* the command to which sentences refer: "tiptop locks" */
};

/* Checks the selection against a type. Returns -EINVAL with a sentence if a field does not exist or
 * is in the list twice, or if the direction is neither asc nor desc. */
int report_select_check(const struct report_selection *s, const struct report_type *type,
			struct err *err);
/* Applies the selection; ignores fields that the type of a record lacks. */
void report_select(struct report *r, const struct report_selection *s);

#endif
