/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * columns - the columns of a report of regions, each declared once: for the program that reports
 * its own regions (lines.c), and for tiptop, which writes the report from the table of a process
 * and reads reports (profile/regions/lines.c).
 *
 * A line has TT_COLUMNS columns, then TT_PARTS of each event, then the derived numbers. In JSON,
 * the time is an event. In CSV, the sum of the time is the column TT_TIME; its other parts except
 * the state are columns named by TT_TIME_PART.
 */
#ifndef INJECT_LIB_COLUMNS_H
#define INJECT_LIB_COLUMNS_H

#include <stdbool.h>

struct tt_column {
	char id[12];    /* the key in JSON; "": JSON does not have it */
	char csv[12];   /* the heading in CSV; "": CSV does not have it */
	char title[12]; /* the heading in text; "": text does not have it */
	int width;      /* the least width in text; < 0: left-aligned */
	bool is_first;  /* in CSV, the column comes before all columns without is_first */
	bool is_quoted; /* its texts are quoted in CSV */
};

/* The columns, in their order in JSON and in text. */
enum tt_column_number {
	TT_TYPE,
	TT_SCHEMA,
	TT_PROGRAM,
	TT_PID,
	TT_RANK,
	TT_HOST,
	TT_STARTED,
	TT_REPORTED,
	TT_TID,
	TT_LABEL,
	TT_CALLS,
	TT_MS,
	TT_US_EACH,
	TT_TIME,
	TT_COLUMNS
};

/* The parts of an event. In CSV, the heading of a part is the name of the event with `csv`
 * appended; in text, the heading of the sum is the name of the event. */
enum tt_part_number { TT_SUM, TT_SELF, TT_MEAN, TT_MIN, TT_MAX, TT_STDDEV, TT_STATE, TT_PARTS };

/* The columns of a line about a lack: something that the numbers do not include. These columns
 * replace the columns from TT_TID on. In CSV, the key and the number are in the columns "label" and
 * "calls"; the sentence is left out. */
enum tt_lack_number { TT_LACK_KEY, TT_LACK_N, TT_LACK_SENTENCE, TT_LACK_COLUMNS };

extern const struct tt_column tt_column[TT_COLUMNS];
extern const struct tt_column tt_part[TT_PARTS];
extern const struct tt_column tt_lack_column[TT_LACK_COLUMNS];

#define TT_SCHEMA_NUMBER 1

/* Names in JSON: the groups of events and of derived numbers, and the time as an event.
 * TT_TIME_PART is the heading of a part of the time in CSV. */
#define TT_EVENTS     "events"
#define TT_DERIVED    "derived"
#define TT_TIME_EVENT "time-ns"
#define TT_TIME_PART  "time_%s_s"
#define TT_TITLE_MAX  16 /* characters of an event's name that fit in a title */

#endif
