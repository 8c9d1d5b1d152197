/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * saved_report - a report that `tiptop locks` or `tiptop calls --format json` has written, or that
 * a program has of its regions (tiptop(3)), read again: what locks, library calls or regions have
 * cost in one run, by their names, kinds and callers.
 *
 * Lines of one name, kind and caller are one, whichever process and address they are of; but a
 * later line on a region of a process replaces the earlier one, as it has the same calls and more.
 * Where in a function a caller of a lock is, is left out, and so for a lock that has its name of
 * such a place: another version of the program has it elsewhere.
 *
 * Each has amounts, as its type tells: what one acquisition took, say; or what an event counted
 * meanwhile, in place of the time. Where a report has none, or
 * does not know how they differ, that is NaN, and so is all that is made of it.
 */
#ifndef COMPARE_SAVED_REPORT_H
#define COMPARE_SAVED_REPORT_H

#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"
#include "base/moments.h"
#include "report/column.h"
#include "report/record.h"

/* ---- saved types ----
 *
 * The reports that are read again: what each is of, and the columns of its lines,
 * which are those that its writer has declared.
 */

#define SAVED_AMOUNTS 3

/* What a report is of. */
struct saved_type {
	const char *report, *line; /* the types of its lines: about a process, and the others */
	const char *did;           /* how often, in words */
	const char *count, *kind;  /* the ids of these columns; kind: NULL: there is none */
	/* Names may be places in functions, which are those of the caller, too. */
	bool has_callers;
	const char *amount[SAVED_AMOUNTS]; /* as the columns name them */
	/* Of an event there are those but the first, which is of the time. */
	bool in_modes;
	/* Types of lines that are made of the others, or are not numbers; NULL: none. */
	const char *other[2];
	/* The event that is the time, of lines that have no head; NULL: they have one. */
	const char *time;
	const char *of, *writer; /* what such a report is of, and what writes it */
	/* Declares the columns of a line that has this event; NULL: the time alone. */
	void (*declare)(struct report_own_type *t, const char *event);
};

/* ---- saved report ---- */

struct saved_entry {
	char *name, *kind, *caller; /* "": there is none */
	double count, contended;    /* contended: NaN: not known */
	char *process;              /* of a region, which one it is, and when it began; else NULL */
	size_t line;
	struct moments amount[SAVED_AMOUNTS];
};

struct saved {
	char *path;
	const struct saved_type *type;
	char *event; /* that of the amounts, else the first that was counted; NULL: none */
	bool by_event;
	/* What amounts are in: "ns", or the name of an event; NULL: the report has none. */
	const char *unit[SAVED_AMOUNTS];
	struct saved_entry *entry; /* by name, kind and caller */
	size_t n, cap;
	/* While it is read: the columns of its lines, and the last one. */
	struct report_own_type *columns;
	struct report_record record;
};

/* Whether the file begins as such a report does, or as a line of JSON that is damaged. */
bool saved_is_report(const char *path);
/* event: its amounts are read; NULL: those of the time, and of library calls the first event, too.
 * -errno with a sentence that names the file. */
int saved_read(struct saved *s, const char *path, const char *event, struct err *err);
void saved_done(struct saved *s);

/* The order of two of them. */
int saved_compare(const struct saved_entry *a, const struct saved_entry *b);

#endif
