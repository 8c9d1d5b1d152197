/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * table_file - a report goes to standard output or to the file of -o, behind what this has with
 * --append.
 *
 *	table_file_open(&dest, &like, format, o->output, o->append, err);
 *	...what takes its time...
 *	status = table_file_write(&dest, &report, format, err);
 *	table_file_close(&dest, status, err);
 *
 * Until it is written, the file stays as it is.
 */
#ifndef SESSION_TABLE_FILE_H
#define SESSION_TABLE_FILE_H

#include "base/destination.h"
#include "report/format.h"
#include "report/select.h"

/* The options of a command that prints a table; their rows are in option_rows.h. */
struct table_options {
	char *fields, *sort, *output;
	bool append;
};

/* Opens the file; output: NULL or "-": standard output, for which nothing is opened. -EINVAL: a
 * file that is appended to does not begin as a report that is like this one. */
int table_file_open(struct dest *d, const struct report *like, enum report_format_id format,
		    const char *output, bool append, struct err *err);
/* Writes the report. 1 without a sentence: standard output has said why it cannot be written. */
int table_file_write(struct dest *d, const struct report *r, enum report_format_id format,
		     struct err *err);
/* Closes the file, if one was opened. ret: how all went so far, whose sentence stays. */
int table_file_close(struct dest *d, int ret, struct err *err);

/* Does all three. */
int table_file_put(const struct report *r, enum report_format_id format, const char *output,
		   bool append, struct err *err);

#endif
