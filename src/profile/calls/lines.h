/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * lines - writes a report of library calls as text, CSV or JSON lines; or in the folded format
 * (calls_folded_add()).
 *
 * Times are in ns, from the time stamp counter or the system's clock: they include waits for a CPU,
 * and are not split into user and kernel mode. Counts of events are split; the columns `user` and
 * `kernel` of a line are counts of the first event.
 */
#ifndef PROFILE_CALLS_LINES_H
#define PROFILE_CALLS_LINES_H

#include "base/strbuf.h"
#include "profile/calls/report.h"
#include "report/format.h"
#include "report/select.h"

struct calls_lines {
	enum report_format_id format;
	const struct calls_report *report;
	const struct report_selection *selection; /* NULL: all */
	/* This is the first of several reports: only the first one has a CSV header. */
	bool is_first;
};

/* Declares the columns that the rows have with these events. */
void calls_lines_declare(struct report_own_type *t, const struct event_note event[],
			 uint32_t n_events);
/* Appends the report. */
void calls_lines_add(const struct calls_lines *l, struct strbuf *out);

/* ---- folded ----
 *
 * Writes the time of threads by function, in the folded format of flamegraph.pl and
 * others:
 *
 *   process 4711;program 12345
 *   process 4711;io;read 678
 *
 * The group of the function comes before its name. The number is the self time of the function in
 * ns, without the time in other listed functions that it called. So the numbers of a process add up
 * to the time of its threads.
 */

/* Appends a line for the program and for each function that was called. r: made by
 * calls_report_make(). */
void calls_folded_add(const struct calls_report *r, struct strbuf *out);

#endif
