/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * lines - writes the lines of the report of regions as text, CSV or JSON (start.c).
 */
#ifndef INJECT_LIB_LINES_H
#define INJECT_LIB_LINES_H

#include "inject/lib/output.h"
#include "inject/lib/table.h"

/* The subject of a row: a region in all threads or in one. */
struct tt_subject {
	const char *label;
	uint32_t tid; /* 0: all threads */
};

/* A line about something that the numbers leave out. */
struct tt_lack {
	const char *key;
	uint64_t n;           /* the number before the sentence; 0: no number */
	const char *sentence; /* continues after the number: "calls ..." */
};

/* A format of the report: functions that append its lines. */
struct tt_lines {
	const char *name;
	void (*head)(struct tt_output *o);
	bool once; /* the head is written only at the beginning of a file */
	/* Writes the row of a region that has been called. */
	void (*row)(struct tt_output *o, const struct tt_subject *of, struct table_row *row);
	void (*lack)(struct tt_output *o, const struct tt_lack *lack);
};

/* Returns the format with this name; text if there is none. */
const struct tt_lines *tt_lines_find(const char *name);

/* Writes a time of CLOCK_REALTIME, in ns since 1970, in tiptop's format and in UTC: for local time
 * the C library would read time zone files. */
#define TT_TIME_SIZE 64
void tt_lines_time(char text[TT_TIME_SIZE], uint64_t wall_ns);
/* In the text format, appends the lines above the table: process, host and time. */
void tt_lines_put_sentence(struct tt_output *o);
/* Returns the width of the column of a derived number in the text format: at least that of its
 * name. */
int tt_lines_width(const char *derived);

#endif
