/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * verdict_list - the declared rules about why a task is slow: metrics, and verdicts over them.
 * config/verdicts.xml documents each attribute; src/diagnose evaluates them.
 *
 * A metric is a number of a task with the same meaning on all CPUs. A verdict is a rule: a
 * condition over metrics, texts for users, and the next steps.
 */
#ifndef SCREEN_VERDICT_LIST_H
#define SCREEN_VERDICT_LIST_H

#include <stdbool.h>
#include <stddef.h>

#include "base/mem.h"

/* A column of a user's or built-in screen from which the metric is read. arch, model: only on these
 * CPUs; NULL: on all. */
struct metric_from {
	const char *screen, *column;
	const char *times; /* the metric is the column's number times this factor; NULL: 1 */
	const char *arch, *model;
};

struct metric_row {
	const char *name;   /* lower-case letters, digits and '_' */
	const char *unit;   /* written after the number; "" or NULL: none */
	const char *format; /* of printf(3), for the number */
	const char *desc;   /* the meaning of the number in a few words */
	const char *expr;   /* an expression of variables that computes it; NULL: none */
	const char *look;   /* the evidence that gives it (diagnose/rules.h); NULL: none */
	bool single; /* it is meaningful for one thread only, not for a process with several */
	const struct metric_from *from;
	size_t n_from;
	const char *place; /* file and line; NULL: built in */
};

/* A next step: a command line, and its purpose. */
struct verdict_next {
	const char *run, *why;
};

struct verdict_row {
	const char *name, *word;
	const char *when;
	const char *without; /* metrics that must be unknown, separated by ';'; NULL: none */
	const char *rank;
	const char *says;
	const char *sure;  /* "sure", "likely" or "maybe" */
	const char *surer; /* how to confirm it; "" or NULL: no hint */
	const char *source;
	/* A verdict from counters needs at least this time on a CPU in the interval, in ms; NULL:
	 * it does not depend on counters. */
	const char *counters;
	/* Less specific verdicts about the same cause, separated by ';', which this one replaces;
	 * NULL: none. */
	const char *covers;
	const struct verdict_next *next;
	size_t n_next;
	const char *place; /* file and line; NULL: built in */
};

struct verdict_table {
	const struct metric_row *metric;
	size_t n_metrics;
	const struct verdict_row *verdict;
	size_t n_verdicts;
};

/* The table from config/verdicts.xml. */
extern const struct verdict_table verdict_table_built_in;

/* ---- users' rules ----
 *
 * Metrics and verdicts of users' files, which add to the built-in ones or replace them.
 *
 * Ownership: texts are copied; NULL stays NULL. All copies lie in the arena and never move, so that
 * a row may share the columns or steps of another one.
 */

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
