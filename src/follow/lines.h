/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * lines - rows of a job as text, CSV or JSON.
 *
 * Text: a header, then a line a row, in columns: time in seconds since the start, process, task,
 * kind, counts. What is not known is '-', a count that is extrapolated has '~' behind it. What a
 * row has beside counts stands behind '#': the number of a new process, the name of an image, with
 * several sets the names of the counters, and with what status or by what signal a process has
 * ended: 0, as most do, is no remark, so that the rows are those of cputrack.
 *
 * CSV: the same, one record a row, with all digits, and each status; not known is nothing. JSON:
 * one object a line, "type":"follow"; not known is null.
 */
#ifndef FOLLOW_LINES_H
#define FOLLOW_LINES_H

#include "base/strbuf.h"
#include "follow/job.h"

enum follow_format { FOLLOW_TEXT, FOLLOW_CSV, FOLLOW_JSON };

struct follow_lines {
	enum follow_format format;
	const struct event_set *set; /* [n_sets], borrowed */
	int n_sets;
	int n_columns; /* of counts: as many as the largest set has */
	int width;     /* of such a column, in characters */
};

void follow_lines_init(struct follow_lines *l, enum follow_format format,
		       const struct event_set *set, int n_sets);
/* Appends the header, if the format has one. */
void follow_lines_header(const struct follow_lines *l, struct strbuf *out);
void follow_lines_row(const struct follow_lines *l, struct strbuf *out, double time_s,
		      const struct follow_row *row);

#endif
