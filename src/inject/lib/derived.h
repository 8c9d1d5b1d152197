/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * derived - numbers of a region that are made of others: the instructions per cycle, where both
 * were counted alike, and of each unit of work (call.c) how much there was, how much a second, and
 * what each event counted for one.
 *
 * Which there are may change while the program runs: a unit comes with the first work in it.
 */
#ifndef INJECT_LIB_DERIVED_H
#define INJECT_LIB_DERIVED_H

#include <stdbool.h>

#include "inject/lib/table.h"

#define DERIVED_NAME_MAX (TABLE_NAME_MAX + TABLE_UNIT_MAX + 2)

struct tt_derived {
	char name[DERIVED_NAME_MAX];
	bool known;
	double value;
	int decimals; /* that tell something */
};

/* How many there are of a table. */
uint32_t tt_derived_n(const struct table_header *h);
/* Computes number k of a row; of NULL its name alone. */
void tt_derived_get(struct tt_derived *d, const struct table_header *h, struct table_row *row,
		    uint32_t k);

#endif
