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
	const char *look;   /* the evidence that gives it (diagnose/evidence.h); NULL: none */
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

#endif
