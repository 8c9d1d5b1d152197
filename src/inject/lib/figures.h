/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * figures - the numbers of a region as reported, computed from its row (table.h): extrapolated if
 * the kernel multiplexed the counter, and with the cost of measuring subtracted if the header asks
 * for it. Some numbers are computed from those of several events, or of work (derived).
 *
 * tiptop and the measured program write the same report: so both use these numbers and columns.
 */
#ifndef INJECT_LIB_FIGURES_H
#define INJECT_LIB_FIGURES_H

#include <stdbool.h>

#include "inject/lib/table.h"

/* One quantity; the time is in ns. */
struct tt_figure {
	bool known;
	/* sum and self are known: each call has a number, or its counter was off, so that its
	 * number is extrapolated from the other calls. If `known` is true and `whole` is not, some
	 * calls were not counted. min, max, mean and stddev cover only the calls with a number. */
	bool whole;
	uint64_t sum, self, min, max;
	double mean, stddev;
	const char *state;
	bool scaled; /* some calls are estimates */
};

/* Convert a number; tt_integer() drops the decimals. They are functions, as a conversion takes some
 * 30 bytes of code. */
double tt_real(uint64_t n);
uint64_t tt_integer(double x);
/* Converts ticks of a table to ns. */
uint64_t tt_ns_of(const struct table_header *h, uint64_t ticks);
/* Computes quantity i of a row of a table: 0 is the time, i is event i - 1. */
struct tt_figure tt_figure_of(const struct table_header *h, struct table_row *row, uint32_t i);

/* ---- derived ----
 *
 * Numbers of a region that are computed from others: instructions per cycle, if both were
 * counted in the same modes; and for each unit of work (call.c) the total, the rate per second, and
 * the count of each event per unit.
 *
 * While the program runs, the number of derived numbers may grow: a unit is added when work is
 * first recorded in it.
 */

#define DERIVED_NAME_MAX (TABLE_NAME_MAX + TABLE_UNIT_MAX + 2)

struct tt_derived {
	char name[DERIVED_NAME_MAX];
	bool known;
	double value;
	int decimals; /* digits to print after the decimal point */
};

/* Reports round numbers from this one on to integers, as a double has fewer than 6 decimals of
 * them.
 */
#define TT_DECIMALS_BELOW 9e9

/* Returns how many derived numbers a table has. */
uint32_t tt_derived_n(const struct table_header *h);
/* Computes derived number k of a row; sets only its name if row is NULL. */
void tt_derived_get(struct tt_derived *d, const struct table_header *h, struct table_row *row,
		    uint32_t k);

/* ---- columns ----
 *
 * The columns of a report of regions, each declared once: for the program that reports
 * its own regions (lines.c), and for tiptop, which writes the report from the table of a process
 * and reads reports (profile/regions/lines.c).
 *
 * A line has TT_COLUMNS columns, then TT_PARTS of each event, then the derived numbers. In JSON,
 * the time is an event. In CSV, the sum of the time is the column TT_TIME; its other parts except
 * the state are columns named by TT_TIME_PART.
 */

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
