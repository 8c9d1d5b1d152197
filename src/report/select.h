/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * select - applies --fields, --sort and --rows to a report, for all types and formats.
 *
 * A field is a column of CSV, named by its heading; types without CSV columns are unchanged. All
 * formats then show the chosen fields as columns, with the numbers and names of CSV; JSON also has
 * the member "type".
 *
 * Sections inside a table (report_section()) depend on its order: with --fields or --sort they are
 * removed, and a table that is only sorted shows all fields, which contain what the sections said.
 *
 * Sorting and counting apply to blocks of consecutive records with the same type and the same text
 * in the column "type": groups of a report stay together. A list (report.h) has no such groups.
 */
#ifndef REPORT_SELECT_H
#define REPORT_SELECT_H

#include "base/err.h"
#include "report/report.h"

struct report_selection {
	const char *fields; /* "name,calls": shown in this order; NULL: all columns unchanged */
	/* "calls", "calls:asc" or "calls:desc". By default numbers are descending and texts
	 * ascending; unknown values come last. NULL: not sorted. */
	const char *sort;
	size_t rows;    /* maximum; 0: all */
	const char *of; /* the owner of the fields in sentences: "tiptop locks" */
};

/* Checks the selection against a type. -EINVAL with a sentence: a field does not exist, or the
 * order is unknown. */
int report_select_check(const struct report_selection *s, const struct report_type *type,
			struct err *err);
/* Applies the selection; ignores what the check would refuse. */
void report_select(struct report *r, const struct report_selection *s);

#endif
