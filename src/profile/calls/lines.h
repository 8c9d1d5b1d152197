/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * lines - writes a report of library calls as text, CSV or JSON lines.
 *
 * Times are in ns, from the time stamp counter or the system's clock: they include waits for a CPU,
 * and are not split into user and kernel mode. Events are split: `user` and `kernel` of a line are
 * those of the first event.
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
	bool is_first; /* the first of several reports: only its CSV has a header */
};

/* Declares the columns of the rows for these events. */
void calls_lines_declare(struct report_own_type *t, const struct event_note event[],
			 uint32_t n_events);
/* Appends the report. */
void calls_lines_add(const struct calls_lines *l, struct strbuf *out);

#endif
