/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * table_file - writes a report to standard output or to the file of -o; with --append, after what
 * the file already contains.
 *
 *   table_file_open(&dest, &like, format, o->output, o->append, err);
 *   ...make the report...
 *   status = table_file_write(&dest, &report, format, err);
 *   table_file_close(&dest, status, err);
 *
 * The file is unchanged until table_file_write().
 */
#ifndef SESSION_TABLE_FILE_H
#define SESSION_TABLE_FILE_H

#include "base/destination.h"
#include "report/format.h"
#include "report/select.h"

/* The options of a command that prints a table; option.h has their rows. */
struct table_options {
	char *fields, *sort, *output;
	bool append;
};

/* Opens the file. output: NULL or "-": standard output, which needs no opening. -EINVAL: a file to
 * append to does not begin like the report `like`. */
int table_file_open(struct dest *d, const struct report *like, enum report_format_id format,
		    const char *output, bool append, struct err *err);
/* Writes the report. Returns 0; -errno with a sentence; or 1 if standard output could not be
 * written: that was printed, and err has no sentence. */
int table_file_write(struct dest *d, const struct report *r, enum report_format_id format,
		     struct err *err);
/* Closes the file, if one is open. ret: the result so far; if it is an error, its sentence is
 * kept. */
int table_file_close(struct dest *d, int ret, struct err *err);

/* Opens, writes and closes, by the three functions above. */
int table_file_put(const struct report *r, enum report_format_id format, const char *output,
		   bool append, struct err *err);

#endif
