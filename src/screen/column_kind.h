/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * column_kind - what the numbers of a column are: how much happened, how often, at which ratio, or
 * how it stands; and which values a column can show by that.
 *
 * It is told from the expression alone: a count has delta() to the first degree, a ratio of counts
 * to the degree 0, whatever is done to it beside.
 *
 * Values. Those of the interval are the expression as it is written. As rates, counts are per
 * second; all else stays. As totals, counts are those since the counters were opened, or of what
 * /proc tells since the task began, and ratios are made of such totals; where a column has both,
 * which began at different times, and where it is a rate, it stays that of the interval. Since a
 * mark, counts are those since then; of ratios it is the change: that of the counts since the mark,
 * less that of all counts before it. Where a column has no total, it stays that of the interval.
 */
#ifndef SCREEN_COLUMN_KIND_H
#define SCREEN_COLUMN_KIND_H

#include "screen/screen.h"

enum values { VALUES_INTERVAL, VALUES_RATE, VALUES_TOTAL, VALUES_SINCE_MARK, N_VALUES };

/* What columns show of a row. */
struct shown {
	enum values values;
	/* %CPU of a process is its own with that of children that have ended. */
	bool with_ended;
};

/* Their names, as options have them. */
extern const char *const values_name[N_VALUES];

/* By its name. -EINVAL with a sentence: there are none. */
int values_find(const char *name, enum values *values, struct err *err);

/* Finds out what a compiled column is, and sets its kind. */
void column_kind_set(struct column *c);
/* How a column uses a name where it shows these values. */
enum expr_mode column_mode(const struct column *c, enum values values, enum expr_mode mode);
/* Whether what the column shows is the change of a ratio, which has a sign. */
bool column_shows_change(const struct column *c, enum values values);

#endif
