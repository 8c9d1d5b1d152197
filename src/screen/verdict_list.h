/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * verdict_list - what tells why a task is slow, as it is declared: metrics, and the verdicts that
 * ask for them. config/verdicts.xml says what each attribute means; src/diagnose makes use of it.
 *
 * A metric is a number of a task whose meaning is the same on all CPUs. A verdict is a rule: a
 * condition over metrics, the words for people, and what to do next.
 */
#ifndef SCREEN_VERDICT_LIST_H
#define SCREEN_VERDICT_LIST_H

#include <stdbool.h>
#include <stddef.h>

/* A column of a screen of the user's own file, or of a built-in one, that has the metric on some
 * CPUs; NULL: no limit. */
struct metric_from {
	const char *screen, *column;
	const char *times; /* what its numbers are multiplied by; NULL: 1 */
	const char *arch, *model;
};

struct metric_row {
	const char *name;   /* small letters, digits and '_' */
	const char *unit;   /* as it stands behind the number; "" or NULL: none */
	const char *format; /* of printf(3), for the number */
	const char *desc;   /* what the number is, in a few words */
	const char *expr;   /* of variables; NULL: none */
	const char *look;   /* what is looked for, see diagnose/evidence.h; NULL: nothing */
	bool single;        /* it is true of one thread only, not of a process of several */
	const struct metric_from *from;
	size_t n_from;
	const char *place; /* file and line; NULL: built in */
};

/* What to do next: a command line, and what it is good for. */
struct verdict_next {
	const char *run, *why;
};

struct verdict_row {
	const char *name, *word;
	const char *when;
	const char *without; /* metrics that must be unknown, with ';' between them; NULL: none */
	const char *rank;
	const char *says;
	const char *sure;  /* "sure", "likely" or "maybe" */
	const char *surer; /* what would make it surer; "" or NULL: nothing */
	const char *source;
	/* Told by counters: it needs so many ms on a CPU; NULL: it is not. */
	const char *counters;
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

/* That of config/verdicts.xml. */
extern const struct verdict_table verdict_table_built_in;

#endif
