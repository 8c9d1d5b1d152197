/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * report - the output of a command: records of declared types with notes between them, in order.
 * format.h declares the formats.
 *
 * An inner record is a line in text and CSV, but in JSON an item in a list of its outer record. The
 * outer record is added after all its inner records.
 *
 *	const size_t rows = report->n;
 *
 *	...report_add_inner(report, &row_type)...
 *	head = report_add(report, &head_type);
 *	record_records(head, "rows", rows, report->n - 1);
 *
 * Records are held until the report is emptied, so that the columns of text can be as wide as their
 * cells. A command that writes while it runs makes the report a stream (is_stream) and empties it
 * after each record. Columns of a stream have their declared widths, and a heading is written only
 * if the command adds it.
 */
#ifndef REPORT_REPORT_H
#define REPORT_REPORT_H

#include "report/record.h"

enum report_entry_kind {
	REPORT_RECORD,
	REPORT_HEADING, /* the heading of a type, in CSV and text; records of the type may follow */
	REPORT_NOTE,    /* lines in text only */
	REPORT_SECTION, /* lines in text only, inside a table that continues after them */
};

struct report_entry {
	enum report_entry_kind kind;
	bool is_inner;
	bool is_remark; /* a record about other records: not sorted, never removed */
	struct report_record record;
	const struct report_type *type;
	char *note;
};

struct report_html_about;

struct report {
	/* [n_made]: the first n entries are in use; the others keep their memory for reuse. */
	struct report_entry *entry;
	size_t n, n_made, cap;
	bool is_stream;
	int width;    /* of the terminal that shows the text; 0: text has all columns */
	bool is_list; /* JSON: all records are one array, on one line */
	/* The head of a page (html.h), borrowed; NULL: none. */
	const struct report_html_about *about;
	struct report_own_type **own;
	size_t n_own, cap_own;
};

void report_init(struct report *r);
void report_done(struct report *r);
/* Removes all entries and keeps the memory. */
void report_empty(struct report *r);

/* Adds a record for the caller to fill. The result is valid until the next entry is added. The type
 * is borrowed. */
struct report_record *report_add(struct report *r, const struct report_type *type);
/* Adds an inner record, with the rules of report_add(). */
struct report_record *report_add_inner(struct report *r, const struct report_type *type);
/* Adds a record about other records (is_remark), with the rules of report_add(). */
struct report_record *report_add_remark(struct report *r, const struct report_type *type);
/* Adds the heading of a type, which is shown even if no record follows. */
void report_heading(struct report *r, const struct report_type *type);
/* Adds lines that only text shows; control characters in them become '?' (base/strbuf.h). */
void report_note(struct report *r, const char *lines);
/* Adds lines that only text shows, inside a table or between its heading and its records. */
void report_section(struct report *r, const char *lines);

/* Takes ownership of a type; report_empty() frees it. */
void report_own(struct report *r, struct report_own_type *type);

/* Returns the type of a record or a heading. */
static inline const struct report_type *report_entry_type(const struct report_entry *e)
{
	return e->kind == REPORT_HEADING ? e->type : e->record.type;
}

#endif
