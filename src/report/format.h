/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * format - the output formats of reports, for all commands. Each format has a row in a table, and a
 * function that writes it.
 *
 * text  For people: a table for consecutive records of one type, with a heading; columns are as
 *       wide as their cells. An unknown cell is '-'.
 * csv   One header, and a line for each record, for types with CSV columns. An unknown cell is
 *       empty.
 * json  An object on a line for each record; a report with is_list set (report.h) is one array.
 * html  A page for a browser (html.h).
 *
 * All formats replace or escape control characters in texts (base/strbuf.h).
 */
#ifndef REPORT_FORMAT_H
#define REPORT_FORMAT_H

#include "base/err.h"
#include "report/report.h"

struct report_format {
	const char *name;
	/* Appends the whole report. with_header: CSV begins with a header, HTML with the beginning
	 * of a page; the other formats ignore it. */
	void (*write)(const struct report *r, bool with_header, struct strbuf *out);
};

enum report_format_id {
	REPORT_AS_TEXT,
	REPORT_AS_CSV,
	REPORT_AS_JSON,
	REPORT_AS_HTML,
	N_REPORT_FORMATS
};

extern const struct report_format report_formats[N_REPORT_FORMATS];

/* Sets of formats that a command can write. */
#define REPORT_ALL_FORMATS ((1u << N_REPORT_FORMATS) - 1)
#define REPORT_NO_CSV      (REPORT_ALL_FORMATS & ~(1u << REPORT_AS_CSV))

/* Finds the format that --format names among the formats that the command can write. name NULL:
 * text. Returns -EINVAL with a sentence if there is no such format. */
int report_find_format(enum report_format_id *out, const char *name, unsigned formats,
		       struct err *err);
/* Checks that --anonymize is used only with the format html. Returns -EINVAL with a sentence if it
 * is not. */
int report_check_anonymous(bool on, enum report_format_id format, struct err *err);
/* Returns the name of the i-th format of a set; NULL: the set has fewer formats. */
const char *report_format_at(unsigned formats, size_t i);

/* Appends a record as a JSON object, without a newline. */
void report_add_object(const struct report *report, const struct report_record *record,
		       struct strbuf *out);

void report_write_text(const struct report *r, bool with_header, struct strbuf *out);
void report_write_csv(const struct report *r, bool with_header, struct strbuf *out);
void report_write_json(const struct report *r, bool with_header, struct strbuf *out);
void report_write_html(const struct report *r, bool with_header, struct strbuf *out);

/* In JSON lines of several reports, one after the other: adds the member "further_reports", the
 * number of reports behind this one, before the number of its rows (counts_rest) in each. By it, a
 * reader notices that the file was cut off between two reports. */
void report_number_json(struct strbuf *lines);

#endif
