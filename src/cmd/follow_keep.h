/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * follow_keep - rows of tiptop follow go into a recording, and are shown again out of one.
 *
 * Errors: -errno with a sentence.
 */
#ifndef CMD_FOLLOW_KEEP_H
#define CMD_FOLLOW_KEEP_H

#include "cmd/counter_sets.h"
#include "collect/command/job_lines.h"
#include "record/writer.h"

/* That rows and the recording do not go into one file; each may be NULL. */
int follow_keep_check(const char *path, const char *output, struct err *err);
/* Begins to record. command: its words; NULL: none. On failure, too, *out is to be closed. */
int follow_keep_begin(struct record_writer **out, const char *path, char *const *command,
		      const struct counter_sets *sets, struct err *err);
int follow_keep_row(struct record_writer *w, uint64_t time_ns, const struct follow_row *row,
		    const struct event_set *set, struct err *err);

/* How the rows of a recording are written. */
struct follow_replay {
	const char *path; /* of the recording */
	enum report_format_id format;
	const char *fields; /* NULL: all */
	bool header;        /* each run has one, if the format has */
	const char *output; /* NULL: standard output */
};

/* Writes all rows; damage, and that it was cut off, is said behind them. -EINVAL: a run has no such
 * field. */
int follow_keep_replay(const struct follow_replay *how, struct err *err);

#endif
