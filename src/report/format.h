/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * format - the formats that a report is written in: one row and one file each, for all commands.
 *
 * text  For people: a table for each run of records of one type, with a heading; its columns are as
 *       wide as what is in them. What is not known is '-'.
 * csv   One header, and a line a record: for types that have columns in CSV. What is not known is
 *       nothing.
 * json  An object a record, a line each; of a list (report.h), one array.
 *
 * Texts of others are made harmless in all of them.
 */
#ifndef REPORT_FORMAT_H
#define REPORT_FORMAT_H

#include "base/err.h"
#include "report/report.h"

struct report_format {
	const char *name;
	/* Appends all of the report. with_header: CSV has its header. */
	void (*write)(const struct report *r, bool with_header, struct strbuf *out);
};

enum report_format_id { REPORT_AS_TEXT, REPORT_AS_CSV, REPORT_AS_JSON, N_REPORT_FORMATS };

extern const struct report_format report_formats[N_REPORT_FORMATS];

/* The formats that a command has, as a set. */
#define REPORT_ALL_FORMATS ((1u << N_REPORT_FORMATS) - 1)
#define REPORT_TEXT_JSON   (1u << REPORT_AS_TEXT | 1u << REPORT_AS_JSON)

/* Finds the format that --format names, of those that the command has; NULL: text. -EINVAL with a
 * sentence: it has none of this name. */
int report_find_format(enum report_format_id *out, const char *name, unsigned formats,
		       struct err *err);
/* Returns the i-th name of a set of formats; NULL behind the last one. */
const char *report_format_at(unsigned formats, size_t i);

/* Appends a record of the report as an object of JSON, without the end of a line. */
void report_add_object(const struct report *report, const struct report_record *record,
		       struct strbuf *out);

void report_write_text(const struct report *r, bool with_header, struct strbuf *out);
void report_write_csv(const struct report *r, bool with_header, struct strbuf *out);
void report_write_json(const struct report *r, bool with_header, struct strbuf *out);

#endif
