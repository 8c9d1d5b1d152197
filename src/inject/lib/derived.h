/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * derived - numbers of a region that are computed from others: instructions per cycle, if both were
 * counted in the same modes; and for each unit of work (call.c) the total, the rate per second, and
 * the count of each event per unit.
 *
 * While the program runs, the number of derived numbers may grow: a unit is added when work is
 * first recorded in it.
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
	int decimals; /* digits to print after the decimal point */
};

/* Returns how many derived numbers a table has. */
uint32_t tt_derived_n(const struct table_header *h);
/* Computes derived number k of a row; sets only its name if row is NULL. */
void tt_derived_get(struct tt_derived *d, const struct table_header *h, struct table_row *row,
		    uint32_t k);

#endif
