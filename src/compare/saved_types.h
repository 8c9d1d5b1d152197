/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * saved_types - the reports that are read again: what each is of, and the columns of its lines,
 * which are those that its writer has declared.
 */
#ifndef COMPARE_SAVED_TYPES_H
#define COMPARE_SAVED_TYPES_H

#include "report/column.h"

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

/* Finds the type of a report; NULL: there is none of that name. */
const struct saved_type *saved_type_find(const char *report);
/* What writes reports that are read. */
extern const char *const saved_writer;

#endif
