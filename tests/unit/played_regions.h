/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * played_regions - regions of the calling thread with one event, whose count is the variable
 * `counter` of the test; and access to their rows in the table.
 */
#ifndef TESTS_PLAYED_REGIONS_H
#define TESTS_PLAYED_REGIONS_H

#include <string.h>

#include "inject/lib/counters.h"
#include "inject/lib/regions.h"
#include "inject/lib/thread.h"
#include <tiptop.h>

static uint64_t counter;

/* Replaces the function that reads the counters of the thread. */
static inline bool play(struct tt *t, struct tt_value value[])
{
	value[0].count = counter;
	value[0].enabled = counter;
	return t != NULL;
}

static inline struct table_row *row(const struct tt_region *of)
{
	const struct tt_thread *t = tt_local.thread;

	return t->row[of->id];
}

static inline struct table_slot *slot(void)
{
	return tt_local.thread->slot;
}

/* Returns the count in the calls of a region, including regions within them. */
static inline long long sum(const struct tt_region *of)
{
	return (long long)table_sum(row(of), table_quantity(row(of), 1));
}

static inline long long self(const struct tt_region *of)
{
	return (long long)table_self(row(of), table_quantity(row(of), 1));
}

/* Clears the rows of these regions, and their open calls. */
static inline void forget_calls(struct tt_region *const region[], size_t n)
{
	for (size_t i = 0; i < n; i++) {
		tt_region_begin(region[i]);
		tt_region_end(region[i]);
		memset(row(region[i]), 0, tt_regions.header->row_size);
	}
	tt_local.thread->top = &tt_local.thread->frame[1];
}

#endif
