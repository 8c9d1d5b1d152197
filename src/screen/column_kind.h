/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * column_kind - the kind of a column: count, rate, ratio or state; and the values that it can show
 * therefore.
 *
 * It follows from the expression alone: a count has delta() to the first degree, a ratio of counts
 * to the degree 0.
 *
 * Values. VALUES_INTERVAL is the expression as written. With VALUES_RATE, counts are per second;
 * other columns do not change. With VALUES_TOTAL, counts are since the counters were opened, or for
 * facts since the task began, and ratios are those of totals. A column that mixes counters and
 * facts, whose totals began at different times, or is a rate, has no total. With VALUES_SINCE_MARK,
 * counts are those since the mark; a ratio is shown as its change: the ratio of the counts since
 * the mark minus the ratio of all counts before it. A column without a total shows the interval.
 */
#ifndef SCREEN_COLUMN_KIND_H
#define SCREEN_COLUMN_KIND_H

#include "screen/screen.h"

enum values { VALUES_INTERVAL, VALUES_RATE, VALUES_TOTAL, VALUES_SINCE_MARK, N_VALUES };

/* The choice of what columns show. */
struct shown {
	enum values values;
	/* %CPU of a process includes its children that have ended. */
	bool with_ended;
};

/* The names used in options. */
extern const char *const values_name[N_VALUES];

/* Finds values by name. Returns -EINVAL with a sentence if there are none. */
int values_find(const char *name, enum values *values, struct err *err);

/* Sets the kind of a compiled column. */
void column_kind_set(struct column *c);
/* Returns the mode of a reference when the column shows these values. */
enum expr_mode column_mode(const struct column *c, enum values values, enum expr_mode mode);
/* Returns whether the column shows the change of a ratio, which has a sign. */
bool column_shows_change(const struct column *c, enum values values);

#endif
