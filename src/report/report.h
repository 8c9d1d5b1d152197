/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * report - what a command has to say: records of declared types, and sentences between them, in
 * their order. The formats that it is written in are declared in format.h.
 *
 * A record may be inner: it is a line of text and of CSV, but in JSON an item in a list of another
 * record, which is added behind it.
 *
 *	const size_t rows = report->n;
 *
 *	...report_add_inner(report, &row_type)...
 *	head = report_add(report, &head_type);
 *	record_records(head, "rows", rows, report->n - 1);
 *
 * Records are held until the report is emptied: so text has columns as wide as what is in them. A
 * command that writes while it runs makes the report a stream, and empties it behind each record:
 * then columns are as wide as they are declared, and their heading is there only where it is added.
 */
#ifndef REPORT_REPORT_H
#define REPORT_REPORT_H

#include "report/record.h"

enum report_entry_kind {
	REPORT_RECORD,
	REPORT_HEADING, /* that of a type, in CSV and text; records of it may follow */
	REPORT_NOTE,    /* lines for people: in text only */
	REPORT_SECTION, /* the same amid a table, which goes on behind them */
};

struct report_entry {
	enum report_entry_kind kind;
	bool is_inner;
	struct report_record record;
	const struct report_type *type;
	char *note;
};

struct report {
	struct report_entry *entry; /* [n]; those behind them keep their memory for what comes */
	size_t n, n_made, cap;
	bool is_stream;
	bool is_list; /* JSON has all records as one array, in one line */
	struct report_own_type **own;
	size_t n_own, cap_own;
};

void report_init(struct report *r);
void report_done(struct report *r);
/* Forgets all that was added, and keeps the memory. */
void report_empty(struct report *r);

/* Adds a record, to be filled; it may move when another one is added. The type is borrowed. */
struct report_record *report_add(struct report *r, const struct report_type *type);
/* The same, of an inner one. */
struct report_record *report_add_inner(struct report *r, const struct report_type *type);
/* Adds the heading of a type, so that it is there even where no record follows. */
void report_heading(struct report *r, const struct report_type *type);
/* Adds lines of text; what is harmful in them becomes '?' (base/text.h). */
void report_note(struct report *r, const char *lines);
/* The same between the records of a table, or between its heading and them. */
void report_section(struct report *r, const char *lines);

/* Keeps a type that was allocated as long as the records are. */
void report_own(struct report *r, struct report_own_type *type);

/* The type of a record, or of a heading. */
static inline const struct report_type *report_entry_type(const struct report_entry *e)
{
	return e->kind == REPORT_HEADING ? e->type : e->record.type;
}

#endif
