/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * job_lines - rows of a job as text, CSV or JSON.
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
#ifndef COLLECT_COMMAND_JOB_LINES_H
#define COLLECT_COMMAND_JOB_LINES_H

#include "collect/command/job.h"
#include "report/counts.h"

struct follow_lines {
	struct report_counts counts;
};

/* set: [n_sets], borrowed. */
void follow_lines_init(struct follow_lines *l, enum report_format_id format,
		       const struct event_set *set, int n_sets);
void follow_lines_done(struct follow_lines *l);
/* Chooses the fields that are written; NULL: all. -EINVAL with a sentence: there is no such field.
 */
int follow_lines_choose(struct follow_lines *l, const char *fields, struct err *err);
/* Appends the header, if the format has one. */
void follow_lines_header(struct follow_lines *l, struct strbuf *out);
void follow_lines_row(struct follow_lines *l, struct strbuf *out, double time_s,
		      const struct follow_row *row);

#endif
