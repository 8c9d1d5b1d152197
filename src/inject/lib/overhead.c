/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "inject/lib/overhead.h"

#include <string.h>
#include <tiptop.h>

#include "inject/lib/local.h"
#include "inject/lib/regions.h"

/* Some clocks have steps that are longer than what is measured: so it is the mean of many, and the
 * least of some of these, so that no interrupt is in it. */
#define ROUNDS 4
#define CALLS  50

struct least {
	uint64_t of[1 + TABLE_EVENTS];
};

/* Adds up what nothing takes, or a region with nothing in it; NaN: not known. */
static void add_calls(struct tt_thread *t, struct tt_region *region, double sum[])
{
	struct tt_value before[TT_MAX_EVENTS], after[TT_MAX_EVENTS];

	for (int k = 0; k < CALLS; k++) {
		const uint64_t ticks = thread_read_ticks(t->steady);

		thread_complete(t, t->read(t->counters, before), before);
		if (region) {
			tt_region_begin(region);
			tt_region_end(region);
		}
		thread_complete(t, t->read(t->counters, after), after);
		sum[0] += (double)(thread_read_ticks(t->steady) - ticks);
		for (uint32_t i = 0; i < t->n_events; i++)
			sum[i + 1] += tt_between(&before[i], &after[i]);
	}
}

static void measure(struct tt_thread *t, struct tt_region *region, struct least *least)
{
	memset(least, 0xff, sizeof *least);
	for (int round = 0; round < ROUNDS; round++) {
		double sum[1 + TABLE_EVENTS] = {0};

		add_calls(t, region, sum);
		for (uint32_t i = 0; i <= t->n_events; i++)
			if (sum[i] >= 0 && sum[i] / CALLS < (double)least->of[i])
				least->of[i] = (uint64_t)(sum[i] / CALLS);
	}
}

/* Its row is not in the table. */
static void measure_region(struct tt_thread *t, struct least *least)
{
	struct tt_region region = {"", 1, 0};
	uint64_t row[512] = {0};
	struct tt_thread *const here = tt_local.thread;

	tt_local.thread = t;
	t->row[1] = (void *)row;
	measure(t, &region, least);
	t->row[1] = NULL;
	tt_local.thread = here;
}

static uint64_t difference(uint64_t with, uint64_t without)
{
	return with != UINT64_MAX && with > without ? with - without : 0;
}

void tt_overhead_measure(struct tt_thread *t)
{
	struct table_header *h = tt_regions.header;
	struct least empty, region;

	measure(t, NULL, &empty);
	measure_region(t, &region);
	h->overhead_ticks = empty.of[0];
	h->inner_overhead_ticks = difference(region.of[0], empty.of[0]);
	for (uint32_t i = 0; i < t->n_events; i++) {
		h->event[i].overhead = empty.of[i + 1] == UINT64_MAX ? 0 : empty.of[i + 1];
		h->event[i].inner_overhead = difference(region.of[i + 1], empty.of[i + 1]);
	}
}
