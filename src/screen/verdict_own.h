/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * verdict_own - metrics and verdicts of users' files, which add to the built-in ones or replace
 * them.
 *
 * Ownership: texts are copied; NULL stays NULL. All copies lie in the arena and never move, so that
 * a row may share the columns or steps of another one.
 */
#ifndef SCREEN_VERDICT_OWN_H
#define SCREEN_VERDICT_OWN_H

#include "base/mem.h"
#include "screen/verdict_list.h"

/* Must be zeroed before its first use. */
struct verdict_own {
	struct verdict_table table; /* for reading; valid until the next add */
	struct metric_row *metric;
	struct verdict_row *verdict;
	size_t cap_metrics, cap_verdicts;
	/* The last metric has columns of its own; the last verdict has steps of its own. */
	bool has_from, has_next;
	struct arena arena;
};

void verdict_own_done(struct verdict_own *o);

/* Find the row with this name that is in effect: the user's, else the built-in one; NULL: none. */
const struct metric_row *verdict_own_find_metric(const struct verdict_own *o, const char *name);
const struct verdict_row *verdict_own_find(const struct verdict_own *o, const char *name);

/* Add a copy of a row; it replaces an earlier row with the same name. The copy shares the columns
 * (metric) or steps (verdict) of `row` until the first of its own is added. */
void verdict_own_add_metric(struct verdict_own *o, const struct metric_row *row);
void verdict_own_add(struct verdict_own *o, const struct verdict_row *row);
/* Add a column or a step to the row that was added last. */
void verdict_own_add_from(struct verdict_own *o, const struct metric_from *from);
void verdict_own_add_next(struct verdict_own *o, const struct verdict_next *next);

#endif
