/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * alike - whether a column is the same on two machines, so that its numbers can be compared.
 *
 * It is where both screens have a column of this id that is computed in the same way, and each of
 * its counters counts the same: in the same modes, and what both CPUs mean by it, or where that is
 * not known, the event of the same name. A counter that one of them does not have makes no
 * difference here: its numbers are unknown there.
 */
#ifndef COMPARE_ALIKE_H
#define COMPARE_ALIKE_H

#include "base/err.h"
#include "screen/screen.h"
#include "view/origin.h"

struct alike_side {
	const char *label; /* what sentences call it */
	const struct screen *screen;
	const struct origins *origins; /* of its counters */
};

/* Sets *column to the column of b that is column i of a. -ENOENT: b has none; -EINVAL: it is
 * another one. The sentence says what differs, without the name of the column. */
int alike_find(const struct alike_side *a, size_t i, const struct alike_side *b, size_t *column,
	       struct err *why);

#endif
