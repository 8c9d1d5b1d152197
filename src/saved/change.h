/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * change - what locks, or library calls, have cost in two runs, side by side: by their names, kinds
 * and callers, those first whose time has changed most, or what an event counted.
 *
 * The time of a lock is what all of its acquisitions, holds and releases took; that of a function,
 * what was spent in it. The margin of a change is that of the mean of so many independent calls
 * (95 %); calls that follow each other resemble each other, and runs differ, too, so what is within
 * it says nothing, and what is not may still be no more than another run would do.
 *
 * Numbers that are not known are NaN.
 */
#ifndef SAVED_CHANGE_H
#define SAVED_CHANGE_H

#include "base/strbuf.h"
#include "saved/saved.h"

enum saved_format { SAVED_TEXT, SAVED_CSV, SAVED_JSON };

/* One of the two sides. */
struct saved_figure {
	double n, mean, sd;
};

struct saved_difference {
	struct saved_figure of[2]; /* A and B */
	double change_pct, margin_pct;
};

struct saved_change_row {
	const struct saved_entry *entry[2]; /* A and B; NULL: it is not in that one */
	struct saved_difference count;      /* how often */
	struct saved_difference amount[SAVED_AMOUNTS];
	double change; /* all of B less all of A */
};

struct saved_change {
	const char *what[2]; /* how the two are called */
	const struct saved_type *type;
	const char *unit[SAVED_AMOUNTS]; /* of the amounts that both have; NULL: not both */
	struct saved_change_row *row;
	const char *unit_of_all; /* what the change of all is in; NULL: there is nothing */
	size_t n;
};

/* The reports must outlive it. -EINVAL: they are not of the same. */
int saved_change_make(struct saved_change *c, const struct saved *a, const struct saved *b,
		      struct err *err);
void saved_change_done(struct saved_change *c);
/* Appends the first n rows. */
void saved_change_add(const struct saved_change *c, enum saved_format format, size_t n,
		      struct strbuf *out);

#endif
