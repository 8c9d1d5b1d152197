/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * command_output - what a command of tiptop prints: errors, with the exit status that goes with
 * them, texts, and its report with the head of its page.
 */
#ifndef RUN_COMMAND_OUTPUT_H
#define RUN_COMMAND_OUTPUT_H

#include <stdbool.h>
#include <sys/utsname.h>

#include "base/destination.h"
#include "base/err.h"
#include "base/strbuf.h"
#include "report/anonymous.h"
#include "report/format.h"
#include "report/html.h"
#include "report/select.h"

/* ---- errors and texts ---- */

#define EXIT_FAILED 1
#define EXIT_USAGE  2

/* Prints the sentence to standard error, unless it is empty, as for an error that was printed
 * before. Returns the status. */
int print_fault(const struct err *err, int status);
/* Returns whether this -errno means a usage error: -EINVAL or -ERANGE. */
bool is_usage_error(int ret);
/* Prints the text to standard output. Returns the status, or EXIT_FAILED if it cannot be written. A
 * reader that has closed the pipe has enough: this is no failure. */
int print_text(const struct strbuf *text, int status);

/* ---- the head of a page ---- */

/* The maximum number of files in the head of a page whose names are replaced. */
#define PAGE_WORDS_MAX 16

/* The head of a page (report/html.h): the command of tiptop, the measured command or files, the
 * host name, and the time. */
struct page_about {
	struct report_html_about about;
	struct utsname system;
	struct strbuf when;
	char *words[PAGE_WORDS_MAX + 1]; /* instead of the words, if names are replaced */
};

/* Takes the host name and the time from the running machine. of: "tiptop locks"; command: the words
 * of the measured command or files, NULL: none; both are borrowed. */
void page_about_init(struct page_about *a, const char *of, char *const *command);
/* Begins to replace names, if it is on: registers those of this machine and of its user, and the
 * words of the measured command; NULL: none. */
void page_about_begin_anonymous(struct anonymous *a, bool on, char *const *command);
/* Replaces the names in the head. files: its words are recordings or reports, not a command. The
 * head is valid until anonymous_done(). */
void page_about_anonymize(struct page_about *about, struct anonymous *a, bool files);
void page_about_done(struct page_about *a);

/* ---- the file of a report ----
 *
 * A report is written to standard output or to the file of -o; with --append, after what the file
 * already contains.
 *
 *   table_file_open(&dest, &like, format, o->output, o->append, err);
 *   ...make the report...
 *   status = table_file_write(&dest, &report, format, err);
 *   table_file_close(&dest, status, err);
 *
 * The file is unchanged until table_file_write().
 */

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
