/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * figure - the numbers of a region as reported, computed from its row (table.h): extrapolated if
 * the kernel multiplexed the counter, and with the cost of measuring subtracted if the header asks
 * for it.
 */
#ifndef INJECT_LIB_FIGURE_H
#define INJECT_LIB_FIGURE_H

#include <stdbool.h>

#include "inject/lib/table.h"

/* One quantity; the time is in ns. */
struct tt_figure {
	bool known;
	bool whole; /* sum and self cover all calls; false: they are unknown. min, max, mean and
		       stddev always cover only the calls with a number */
	uint64_t sum, self, min, max;
	double mean, stddev;
	const char *state;
	bool scaled; /* some calls are estimates */
};

/* Converts ticks of a table to ns. */
uint64_t tt_ns_of(const struct table_header *h, uint64_t ticks);
/* Computes quantity i of a row of a table: 0 is the time, i is event i - 1. */
struct tt_figure tt_figure_of(const struct table_header *h, struct table_row *row, uint32_t i);

#endif
