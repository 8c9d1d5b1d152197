/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * lines - a report of library calls as text for people, as CSV, and as JSON: a line each.
 *
 * Times are in ns. They are those of the time stamp counter, or of the system's clock: what a
 * thread waited for its CPU is in them, and they are not told apart by user and kernel mode; events
 * are. `user` and `kernel` of a line are those of the first event.
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
	bool is_first;                            /* of several: the CSV of all has one header */
};

/* Declares the rows, where these events are counted. */
void calls_lines_declare(struct report_own_type *t, const struct event_note event[],
			 uint32_t n_events);
/* Appends all of it. */
void calls_lines_add(const struct calls_lines *l, struct strbuf *out);

#endif
