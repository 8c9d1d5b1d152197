/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * lines - writes a report of locks as text, CSV or JSON lines.
 *
 * Times are in ns, from the time stamp counter or the system's clock: they include waits for a CPU.
 */
#ifndef PROFILE_LOCKS_LINES_H
#define PROFILE_LOCKS_LINES_H

#include "base/strbuf.h"
#include "profile/locks/group.h"
#include "profile/locks/halving.h"
#include "profile/locks/report.h"
#include "profile/locks/resolver.h"
#include "report/format.h"
#include "report/select.h"

struct locks_lines {
	enum report_format_id format;
	const struct locks_copy *copy;
	const struct locks_report *report;
	struct resolver *names;
	/* Rows are threads; NULL: rows are locks. */
	const struct locks_threads *threads;
	const struct report_selection *selection; /* NULL: all */
	enum locks_group_key group;               /* the lines to sum */
	bool chains;                              /* rows are chains of waits (folded.h) */
	/* The report is of the locks that several processes share (copy.h): their number.
	 * 0: it is of one process, and leaves out their rows, unless it sums rows by process. */
	uint32_t n_processes;
	const struct halvings *halvings; /* set by locks_lines_add() */
	/* This is the first of several reports: only the first one has a CSV header. */
	bool is_first;
};

/* Declares the columns of the rows, of locks or of threads, for these events. */
void locks_lines_declare(struct report_own_type *t, const struct event_note event[],
			 uint32_t n_events, bool threads);

/* The same for rows of chains. */
void locks_lines_declare_chains(struct report_own_type *t);

/* Appends the report. */
void locks_lines_add(const struct locks_lines *l, struct strbuf *out);

#endif
