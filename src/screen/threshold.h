/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * threshold - from where on a number of a column is worth a look: "< 0.5", ">= 20". Pure.
 *
 * The words lt, le, gt, ge, eq and ne stand for the signs, as in expressions. A number that is not
 * known is beyond no threshold.
 *
 * Ownership: the threshold owns its text; threshold_done() frees it.
 */
#ifndef SCREEN_THRESHOLD_H
#define SCREEN_THRESHOLD_H

#include <stdbool.h>

#include "base/err.h"
#include "base/value.h"

struct threshold {
	char *text;                            /* as declared; NULL: there is none */
	bool (*is_beyond)(double a, double b); /* NULL until it is read */
	double number;
};

enum level { LEVEL_NONE, LEVEL_WARN, LEVEL_CRIT };

/* Reads the text, if there is one. -EINVAL, -ERANGE with a sentence. */
int threshold_read(struct threshold *t, struct err *err);
void threshold_done(struct threshold *t);
/* How far beyond the two the value is; crit is asked first. */
enum level threshold_level(const struct threshold *warn, const struct threshold *crit,
			   struct value v);

#endif
