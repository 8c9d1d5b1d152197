/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * row_filter - what --filter and the key f choose rows by.
 *
 *   make            rows with this text in their name, in the name of their process, or in the
 *                   command line where that is shown, as for -p
 *   "a < b"         the same; in quotes, whatever stands in it is a text
 *   /^cc1(plus)?$/  rows with such a name: an extended regular expression of POSIX (regex.h); only
 *                   where the last slash ends it: \/ is a slash in it
 *   ipc < 0.5       a condition (condition.h), where it is one that compares or asks something
 *   @hungry         the filter that a file calls so
 *
 * A text that has a sign of comparison or logic, but is no condition, is a fault and no text:
 * nobody looks for "ipc <". It does not choose whom to count: a row that is hidden goes on being
 * counted, and no number of those that stay depends on it.
 *
 * Errors: a sentence with the column of the text: -EINVAL, -ENOENT or -ERANGE.
 * Ownership: it borrows the screen, and from row_filter_begin() on binding and sample.
 */
#ifndef VIEW_ROW_FILTER_H
#define VIEW_ROW_FILTER_H

#include "model/filter.h"
#include "screen/filter_list.h"
#include "view/condition.h"

struct row_filter;

/* *out is NULL where the text is empty: all rows pass. */
int row_filter_make(struct row_filter **out, const char *text, const struct screen *screen,
		    const struct filter_list *named, struct err *err);
/* NULL is fine. */
void row_filter_free(struct row_filter *f);

/* What else than this text the user may have meant, for a text that begins as a condition or a
 * regular expression does; NULL: nothing. Valid as long as the filter. */
const char *row_filter_advice(const struct row_filter *f);

/* As it was given. */
const char *row_filter_text(const struct row_filter *f);
/* What has to be read for it, beside what the screen needs. */
fact_mask row_filter_facts(const struct row_filter *f);
/* Whether the task alone has the answer: row_filter_match() needs no row of a delta then. */
bool row_filter_is_of_task(const struct row_filter *f);
/* The same as a question, for those that make groups; NULL for NULL. */
const struct row_test *row_filter_test(const struct row_filter *f);
/* Whether it is a condition, whose answer may be another one at each refresh. */
bool row_filter_is_condition(const struct row_filter *f);

/* As condition_set_judged(). */
void row_filter_set_judged(struct row_filter *f, const struct judged *judged);
/* As condition_begin(), once for each frame. */
void row_filter_begin(struct row_filter *f, struct binding *binding, const struct sample *sample,
		      bool cmdline);
/* Whether the row passes. One with a name that the regular expression takes too long on passes. */
enum tri row_filter_match(struct row_filter *f, const struct task *task,
			  const struct delta_row *row);
/* Where there was such a name since row_filter_begin(): -ETIME with a sentence; otherwise 0, also
 * for NULL. */
int row_filter_timed_out(const struct row_filter *f, struct err *err);

#endif
