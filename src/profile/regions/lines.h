/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * lines - writes the report of the regions of a process from its table, as text, CSV or JSON: the
 * same report that the process writes itself (inject/lib/lines.h), with the same columns
 * (inject/lib/figures.h).
 *
 *	regions_lines_begin(&l, format, header, wall_ns, fields, known);
 *	regions_lines_add(&l, label, row);
 *	tt_lacks_write(&l.output, &regions_lines_lacks, &lacks);
 *	regions_lines_end(&l, selection, &head, &rows);
 */
#ifndef PROFILE_REGIONS_LINES_H
#define PROFILE_REGIONS_LINES_H

#include "base/strbuf.h"
#include "inject/lib/lines.h"
#include "report/format.h"
#include "report/select.h"

/* The names of a report's events and derived numbers (inject/lib/figures.h). */
struct regions_names {
	const char *const *event; /* [n_events], borrowed */
	size_t n_events;
	const char *const *derived; /* [n_derived], borrowed */
	size_t n_derived;
};

/* Declares the columns of the rows. */
void regions_lines_declare(struct report_own_type *t, const struct regions_names *names);
/* Declares the columns for a list of events as in TIPTOP_REGIONS. Columns for units of work are
 * missing: they are unknown before the program has run. */
void regions_lines_declare_list(struct report_own_type *t, const char *events);

/* A report in progress. */
struct regions_lines {
	struct tt_output output; /* first member; its write() appends to `text` */
	struct strbuf text;
	enum report_format_id format;
	struct report report;
	struct report_own_type rows, lacks;
	size_t n_missing; /* requested fields that this process does not have */
};

/* Begins a report. header: borrowed until regions_lines_end(). wall_ns: time of the report, in ns
 * since 1970. fields: the argument of --fields; NULL: none. A field that this process lacks becomes
 * a column without values. known: receives the CSV columns that it lacks; NULL: not needed. */
void regions_lines_begin(struct regions_lines *l, enum report_format_id format,
			 const struct table_header *header, uint64_t wall_ns, const char *fields,
			 struct report_own_type *known);
/* Adds a region that was called. */
void regions_lines_add(struct regions_lines *l, const char *label, struct table_row *row);
/* The functions for tt_lacks_write() that add lines about lacks; only the member `lack` is set. */
extern const struct tt_lines regions_lines_lacks;
/* Appends the report to `rows`, and the header of CSV to `head`. Frees the report. */
void regions_lines_end(struct regions_lines *l, const struct report_selection *selection,
		       struct strbuf *head, struct strbuf *rows);

#endif
