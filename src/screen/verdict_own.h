/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * verdict_own - metrics and verdicts that users' files add, or put in the place of others.
 *
 * Ownership: texts are copied, and NULL stays NULL. All lies in the arena, so what was once given
 * out stays where it is: a row that takes over what another one has may point to it.
 */
#ifndef SCREEN_VERDICT_OWN_H
#define SCREEN_VERDICT_OWN_H

#include "base/mem.h"
#include "screen/verdict_list.h"

/* An empty one begins it. */
struct verdict_own {
	struct verdict_table table; /* as others see it; valid until the next add */
	struct metric_row *metric;
	struct verdict_row *verdict;
	size_t cap_metrics, cap_verdicts;
	/* Of the last row: it has columns, or steps, of its own. */
	bool has_from, has_next;
	struct arena arena;
};

void verdict_own_done(struct verdict_own *o);

/* Finds the one that counts: of these, else built in; NULL: there is none of this name. */
const struct metric_row *verdict_own_find_metric(const struct verdict_own *o, const char *name);
const struct verdict_row *verdict_own_find(const struct verdict_own *o, const char *name);

/* Adds a row, in the place of one of its name that was added before. Its columns or steps are those
 * of `row` until it gets its own. */
void verdict_own_add_metric(struct verdict_own *o, const struct metric_row *row);
void verdict_own_add(struct verdict_own *o, const struct verdict_row *row);
/* To the one that was added last. */
void verdict_own_add_from(struct verdict_own *o, const struct metric_from *from);
void verdict_own_add_next(struct verdict_own *o, const struct verdict_next *next);

#endif
