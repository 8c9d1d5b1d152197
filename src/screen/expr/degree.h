/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * degree - how a result grows with what it is computed from: in a minute, twice as much as in half
 * of one, twice as much a second, or the same. It is told from the expression alone.
 *
 * Each reference has a degree for increments and one for rates; they add up in a product, are taken
 * away by a division, and have to be the same on both sides of a sum. 0 * x is of any degree.
 */
#ifndef SCREEN_EXPR_DEGREE_H
#define SCREEN_EXPR_DEGREE_H

#include <stdbool.h>

#include "screen/expr/expr.h"

struct degree {
	int increments, rates;
	bool none; /* it has no one degree: two that differ were added */
};

/* The degree of the whole; that of a reference is what of() says. */
struct degree expr_degree(const struct expr *e, struct degree (*of)(struct expr_ref ref));

#endif
