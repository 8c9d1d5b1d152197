/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * select - what --fields, --sort and --rows leave of a report, for all types and all formats.
 *
 * A field is a column of CSV, by its heading there: types without any stay as they are. The fields
 * that are chosen are the columns of all formats then, with the numbers and the names of CSV; JSON
 * has the member "type" beside them.
 *
 * Sections that part a table (report_section()) belong to its order: with --fields or --sort the
 * table is one, and what is only sorted has all fields, which say what the sections said.
 *
 * Records are sorted, and counted, that follow each other, are of one type and have the same in
 * their column "type": what a report has in groups stays in groups. A list (report.h) has none.
 */
#ifndef REPORT_SELECT_H
#define REPORT_SELECT_H

#include "base/err.h"
#include "report/report.h"

struct report_selection {
	const char *fields; /* "name,calls": in this order; NULL: all columns as they are */
	/* A field: "calls", "calls:asc", "calls:desc"; numbers from the largest on unless it says
	 * so, texts from A to Z, and what is not known at the end. NULL: the order stays. */
	const char *sort;
	size_t rows; /* at most; 0: all */
};

/* Whether records of this type can be selected so. -EINVAL: there is no such field. */
int report_select_check(const struct report_selection *s, const struct report_type *type,
			struct err *err);
/* Leaves what was chosen. What the check would refuse is passed over. */
void report_select(struct report *r, const struct report_selection *s);

#endif
