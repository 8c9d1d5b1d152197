/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * lines - a report of library calls as text for people, as CSV, and as JSON: a line each.
 *
 * Times are in ns. They are those of the time stamp counter, or of the system's clock: what a
 * thread waited for its CPU is in them, and they are not told apart by user and kernel mode; events
 * are. `user` and `kernel` of a line are those of the first event.
 */
#ifndef CALLS_LINES_H
#define CALLS_LINES_H

#include "base/strbuf.h"
#include "calls/report.h"
#include "report/format.h"

/* Appends all of it. is_first: of several; the CSV of all has one header. */
void calls_lines_add(const struct calls_report *r, enum report_format_id format, bool is_first,
		     struct strbuf *out);

#endif
