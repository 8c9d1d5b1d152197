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
 * On a terminal, text has the columns and rows that fit (fit.h), and says which are left out. All
 * fields that the user names are shown.
 */
#ifndef REPORT_SELECT_H
#define REPORT_SELECT_H

#include <stdbool.h>

#include "base/err.h"
#include "report/report.h"

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
	const char *of; /* the command to which sentences refer: "tiptop locks" */
};

/* Checks the selection against a type. Returns -EINVAL with a sentence if a field does not exist or
 * is in the list twice, or if the direction is neither asc nor desc. */
int report_select_check(const struct report_selection *s, const struct report_type *type,
			struct err *err);
/* Applies the selection; ignores fields that the type of a record lacks. */
void report_select(struct report *r, const struct report_selection *s);

#endif
