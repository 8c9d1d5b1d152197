/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * region_report - writes the report of the regions of a process from its table: as its own report
 * (inject/lib/start.c), with a line on how it ended, unless by exit(3).
 */
#ifndef COLLECT_TABLE_REGION_REPORT_H
#define COLLECT_TABLE_REGION_REPORT_H

#include <stdbool.h>

#include "base/strbuf.h"
#include "collect/table/region_copy.h"

struct regions_report {
	uint64_t wall_begin;      /* when the table was made, in ns since the epoch */
	struct strbuf head, rows; /* head: the header line of CSV */
};

/* Makes the report. format: "text", "csv" or "json". runs: the process has not ended. */
void regions_report_make(struct regions_report *r, const struct table_copy *c, const char *format,
			 bool runs);
void regions_report_done(struct regions_report *r);

/* Appends reports in the order in which their tables were made, which sorts them. The names of
 * columns stand once, where they are the same. */
void regions_reports_add(struct regions_report *r, size_t n, const char *format,
			 struct strbuf *out);

#endif
