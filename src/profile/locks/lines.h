/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * lines - a report of locks as text for people, as CSV, and as JSON: a line each.
 *
 * Times are in ns. They are those of the time stamp counter, or of the system's clock: what a
 * thread waited for its CPU is in them.
 */
#ifndef PROFILE_LOCKS_LINES_H
#define PROFILE_LOCKS_LINES_H

#include "base/strbuf.h"
#include "profile/locks/report.h"
#include "profile/locks/resolver.h"
#include "profile/locks/threads.h"
#include "report/format.h"
#include "report/select.h"

struct locks_lines {
	enum report_format_id format;
	const struct locks_copy *copy;
	const struct locks_report *report;
	struct resolver *names;
	/* They have the rows, and not the locks; NULL: the locks have them. */
	const struct locks_threads *threads;
	const struct report_selection *selection; /* NULL: all */
	bool is_first;                            /* of several: the CSV of all has one header */
};

/* Declares the rows, of locks or of threads, where these events are counted. */
void locks_lines_declare(struct report_own_type *t, const struct event_note event[],
			 uint32_t n_events, bool threads);

/* Appends all of it. */
void locks_lines_add(const struct locks_lines *l, struct strbuf *out);

#endif
