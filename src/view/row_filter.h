/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * row_filter - the filter of --filter and the key f, which selects rows.
 *
 *   make            rows with this text in their name, in the name of their process, or in the
 *                   command line if that is shown, as for -p
 *   "a < b"         the same; quotes make any text a text to search for
 *   /^cc1(plus)?$/  rows with a name that matches: an extended regular expression of POSIX
 *                   (struct regex). The text must end with the second slash; in the expression, \/
 *                   is a slash
 *   ipc < 0.5       a condition (condition.h), if it compares or tests something
 *   @hungry         the filter with this name in a configuration file
 *
 * A text with a sign of comparison or logic that is not a valid condition is an error, not a text
 * to search for. The filter does not affect counting: hidden rows are still counted, and the
 * numbers of the other rows do not change.
 *
 * Errors: a sentence with the position in the text: -EINVAL, -ENOENT or -ERANGE. Ownership: the
 * filter borrows the screen, and from row_filter_begin() on binding and sample.
 */
#ifndef VIEW_ROW_FILTER_H
#define VIEW_ROW_FILTER_H

#include "base/err.h"
#include "base/value.h"
#include "model/sample.h"
#include "screen/screen.h"
#include "view/condition.h"

struct row_filter;

/* Makes a filter. *out is NULL for an empty text: all rows pass. */
int row_filter_make(struct row_filter **out, const char *text, const struct screen *screen,
		    const struct filter_list *named, struct err *err);
void row_filter_free(struct row_filter *f);

/* Returns what else the user may have meant by a text that begins like a condition or a regular
 * expression; NULL: nothing. Valid as long as the filter. */
const char *row_filter_advice(const struct row_filter *f);

/* Returns the text as given. */
const char *row_filter_text(const struct row_filter *f);
/* Returns the facts that must be read in addition to those that the screen needs. */
struct fact_set row_filter_facts(const struct row_filter *f);
/* Returns whether the filter depends on the task alone: row_filter_match() then needs no row. */
bool row_filter_is_of_task(const struct row_filter *f);
/* Returns the filter as a condition for folding groups; NULL for NULL. */
const struct row_test *row_filter_test(const struct row_filter *f);
/* Returns whether the filter is a condition, whose result may change at each refresh. */
bool row_filter_is_condition(const struct row_filter *f);

/* Calls condition_set_judged() if the filter is a condition. */
void row_filter_set_judged(struct row_filter *f, const struct judged *judged);
/* Begins a frame; see condition_begin(). */
void row_filter_begin(struct row_filter *f, struct binding *binding, const struct sample *sample,
		      bool cmdline);
/* Returns whether the row passes. A row passes, too, if the regular expression takes too long on
 * its name. */
enum tri row_filter_match(struct row_filter *f, const struct task *task,
			  const struct delta_row *row);
/* Returns -ETIME with a sentence if a regular expression has taken too long since
 * row_filter_begin(); else 0, also if f is NULL. */
int row_filter_timed_out(const struct row_filter *f, struct err *err);

/* ---- regex ----
 *
 * Matches regular expressions against names, by PCRE2, in bounded time.
 *
 * The language is that of row_filter.h. In a UTF-8 locale, characters and classes ([:alpha:]) are
 * those of Unicode; a byte that is not UTF-8 matches nothing. In other locales each byte is a
 * character.
 *
 * The time of a match can grow with a power of the length of the text, or faster. So steps are
 * limited: a step is one backtracking of PCRE2 and takes some 20 ns (Zen 4); a step of a long
 * expression counts several times.
 *
 * Each text has REGEX_STEPS_EACH steps for each position where a match may begin. If these do not
 * suffice, the text has REGEX_STEPS_FREE steps for each of its bytes; most texts need less. A text
 * that needs more gets up to REGEX_STEPS_MAX steps, some 5 ms, out of REGEX_STEPS_REFRESH for all
 * texts of a refresh; when these are used up, each text has only one step per byte. If the steps do
 * not suffice, the result is unknown.
 *
 * The limit of PCRE2 bounds the time only if repeats backtrack character by character, so
 * auto-possessification is switched off. PCRE2 also restarts counting at each position where a
 * match may begin: beyond REGEX_STEPS_EACH, the expression is prefixed with .*?, so that there is
 * only one such position.
 */

#define REGEX_LENGTH_MAX    1000 /* bytes of an expression */
#define REGEX_STEPS_EACH    32
#define REGEX_STEPS_FREE    4
#define REGEX_STEPS_MAX     150000u
#define REGEX_STEPS_REFRESH (40 * REGEX_STEPS_MAX)

struct regex;

/* Compiles an expression. Returns 0; or -EINVAL or -ERANGE with a sentence. */
int regex_compile(struct regex **out, const char *pattern, struct err *err);
void regex_free(struct regex *r);

/* Begins a refresh: resets the budget of steps. */
void regex_begin(struct regex *r);
/* Returns whether any part of the text matches. */
enum tri regex_match(struct regex *r, const char *text);

#endif
