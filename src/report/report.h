/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * report - what a command has to say: records of declared types, and sentences between them, in
 * their order. The formats that it is written in are declared in format.h.
 *
 * Records are held until the report is emptied: so text has columns as wide as what is in them. A
 * command that writes while it runs empties the report behind each record.
 */
#ifndef REPORT_REPORT_H
#define REPORT_REPORT_H

#include "report/record.h"

/* A record, or a sentence for people that is there in text only. */
struct report_entry {
	const char *note; /* NULL: a record */
	struct report_record record;
};

struct report {
	struct report_entry *entry;
	size_t n, cap;
};

void report_init(struct report *r);
void report_done(struct report *r);
/* Forgets all that was added. */
void report_empty(struct report *r);

/* Adds a record, to be filled; it may move when another one is added. The type is borrowed. */
struct report_record *report_add(struct report *r, const struct report_type *type);
/* Adds lines of text, as they are. */
void report_note(struct report *r, const char *lines);

#endif
