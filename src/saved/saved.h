/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * saved - a report that `tiptop locks --format json` has written, read again: what locks have cost
 * in one run, by their names, kinds and callers.
 *
 * Lines of one name, kind and caller are one, whichever process and address they are of. Where in
 * a function a caller is, is left out: another version of the program has it elsewhere.
 */
#ifndef SAVED_SAVED_H
#define SAVED_SAVED_H

#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"

/* What a lock does. */
enum { SAVED_ACQUIRE, SAVED_HOLD, SAVED_RELEASE, SAVED_PHASES };

struct saved_phase {
	double n, mean;
	/* The sum of the squares of what differs from the mean; NaN: the report does not say. */
	double squares;
};

struct saved_lock {
	char *name, *kind, *caller; /* "": there is none */
	double acquisitions, contended;
	struct saved_phase phase[SAVED_PHASES]; /* of ns */
};

struct saved {
	struct saved_lock *lock; /* by name, kind and caller */
	size_t n, cap;
};

/* Whether the file begins as a report of that command does: "locks". */
bool saved_is_report(const char *path, const char *what);
/* The sentence of an error names the file. */
int saved_read(struct saved *s, const char *path, struct err *err);
void saved_done(struct saved *s);

/* The order of two of them. */
int saved_compare(const struct saved_lock *a, const struct saved_lock *b);
/* The standard deviation; NaN: there is at most one, or it is not known. */
double saved_stddev(const struct saved_phase *p);

#endif
