/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * region_report - writes the report of the regions of a process from its table, in the form of the
 * report that the process itself writes (inject/lib/process.c). If the process still runs, or has
 * ended otherwise than by exit(3), a line says so.
 */
#ifndef COLLECT_TABLE_REGION_REPORT_H
#define COLLECT_TABLE_REGION_REPORT_H

#include <stdbool.h>

#include "base/destination.h"
#include "base/strbuf.h"
#include "collect/table/region_copy.h"
#include "report/format.h"
#include "report/select.h"

struct regions_report {
	uint64_t wall_begin;      /* when the table was made, in ns since the epoch */
	struct strbuf head, rows; /* head: the header line of CSV */
};

/* Format and contents of reports. */
struct regions_form {
	enum report_format_id format;
	const struct report_selection *selection; /* NULL: everything */
	/* Collects the columns of all processes; NULL: not wanted. */
	struct report_own_type *known;
};

/* Makes the report. runs: the process has not ended. */
void regions_report_make(struct regions_report *r, const struct table_copy *c,
			 const struct regions_form *form, bool runs);
void regions_report_done(struct regions_report *r);

/* Sorts the reports by the time at which their tables were made, and appends them. Leaves out a
 * header line that equals the header line of the previous report, or, for the first report, that of
 * the file. behind: the file to which the reports are appended; NULL: none. */
void regions_reports_add(struct regions_report *r, size_t n, const struct dest *behind,
			 struct strbuf *out);

#endif
