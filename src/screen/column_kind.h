/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * column_kind - determines the kind of a column (count, rate, ratio or state), and from the kind
 * which values (enum values) the column can show.
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
#ifndef SCREEN_COLUMN_KIND_H
#define SCREEN_COLUMN_KIND_H

#include "screen/screen.h"

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
/* Returns whether a column of the screen shows other numbers if the user chooses other values. */
bool screen_has_values(const struct screen *s);
/* Returns the mode in which a reference is evaluated if the column shows these values. mode: its
 * mode in the expression. */
enum expr_mode column_mode(const struct column *c, enum values values, enum expr_mode mode);
/* Returns whether the column shows the change of a ratio, which has a sign. */
bool column_shows_change(const struct column *c, enum values values);

#endif
