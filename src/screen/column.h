/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * column - the columns of a screen: their ids, which programs and settings use (--sort, the key W,
 * outputs); their kinds, which decide what values they can show; and changes of them.
 *
 * An id consists of lower-case letters, digits and '_'. The screen gives it, or it is made from the
 * header: letters become lower case, digits stay, each run of other characters between them becomes
 * one '_', and other characters at both ends are dropped. "%CPU" becomes "cpu", "VCSW/s" becomes
 * "vcsw_s"; a header without letters and digits becomes "column".
 *
 * An id is unique within a screen, with one exception: columns for different CPUs may share an id
 * if at least one of them is optional; fit_screen() (bind/counters.h) keeps one of them. Otherwise
 * the second column with the same header gets "_2" appended to its id, the third "_3".
 *
 * The fields that outputs write besides the columns have ids, too (pid, user, command, and those of
 * output/output.h), which no column may have. Exception: a column that shows the user has the id
 * "user", and outputs do not write the user a second time.
 */
#ifndef SCREEN_COLUMN_H
#define SCREEN_COLUMN_H

#include "screen/screen.h"

/* Sets the id of each column. A given id that is invalid, or belongs to another column, is reported
 * with both places (EINVAL) and replaced by one made from the header. */
void column_ids_set(struct screen *s, screen_report report, void *context);

/* ---- kinds ----
 *
 * Determines the kind of a column (count, rate, ratio or state), and from the kind which values
 * (enum values) the column can show.
 *
 * The kind follows from the expression alone. In a count, delta() has the degree 1, as in
 * delta(a) / 1e6; in a ratio of counts, the degree 0, as in delta(a) / delta(b).
 *
 * Values. VALUES_INTERVAL is the expression as written. With VALUES_RATE, counts are per second;
 * other columns do not change. With VALUES_TOTAL, counts are since the counters were opened, or for
 * facts since the task began; ratios are ratios of these totals. With VALUES_SINCE_MARK, counts are
 * since the mark; a ratio is shown as its change: the ratio of the counts since the mark minus the
 * ratio of all counts before it.
 *
 * A column has no total if it is a rate, or if it mixes counters and facts, whose totals begin at
 * different times. It shows the interval instead of VALUES_TOTAL and VALUES_SINCE_MARK.
 */

enum values { VALUES_INTERVAL, VALUES_RATE, VALUES_TOTAL, VALUES_SINCE_MARK, N_VALUES };

/* The user's choice of the values that columns show. */
struct shown {
	enum values values;
	/* %CPU of a process includes its children that have exited. */
	bool with_ended;
};

/* The names used in options. */
extern const char *const values_name[N_VALUES];
/* The names of the kinds of columns in JSON. */
extern const char *const column_kind_name[COLUMN_OTHER + 1];

/* Finds values by name. Returns -EINVAL with a sentence if the name is unknown. */
int values_find(const char *name, enum values *values, struct err *err);

/* Sets the kind of a compiled column. */
void column_kind_set(struct column *c);
/* Returns whether the column shows other numbers if the user chooses other values. */
bool column_has_values(const struct column *c);
/* Returns whether a column of the screen shows other numbers if the user chooses other values. */
bool screen_has_values(const struct screen *s);
/* Returns the mode in which a reference is evaluated if the column shows these values. mode: its
 * mode in the expression. */
enum expr_mode column_mode(const struct column *c, enum values values, enum expr_mode mode);
/* Returns whether the column shows the change of a ratio, which has a sign. */
bool column_shows_change(const struct column *c, enum values values);

/* ---- changing columns ----
 *
 * Changes the columns of a declared screen: copies them from other screens, or adds new ones, with
 * the counters that they use. Pure.
 *
 * A declared screen is plain data; after a change, the caller has to compile it again.
 */

/* Copies column i of another screen to index `at`. Returns -EEXIST with a sentence if the screen
 * has another counter with the name of one that the column uses. */
int compose_copy(struct screen *s, size_t at, const struct screen *from, size_t i, struct err *err);
/* Adds a column with this expression at index `at`. A counter that it uses and the screen lacks is
 * copied from the first screen of `others` that has it; others NULL: none is copied. Returns
 * -EINVAL with a sentence if the header or the expression is empty. */
int compose_add(struct screen *s, size_t at, const char *header, const char *text,
		const struct screen_list *others, struct err *err);
/* Changes the expression and the header of column i, and drops its description. The header stays if
 * it is that of the column, with or without its blanks. Copies counters and fails as compose_add()
 * does. */
int compose_change(struct screen *s, size_t i, const char *header, const char *text,
		   const struct screen_list *others, struct err *err);
/* Removes column i, and the counters that only this column used. */
void compose_drop(struct screen *s, size_t i);
/* Moves a column to another index. */
void compose_move(struct screen *s, size_t from, size_t to);
/* Returns whether the screen has a column with the same header and the same expression. */
bool compose_has(const struct screen *s, const struct column *c);
/* Returns whether the screen has column i of another screen, and the same declarations of the
 * counters that this column uses. */
bool compose_has_all(const struct screen *s, const struct screen *from, size_t i);

#endif
