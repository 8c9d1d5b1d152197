/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "lib/overhead.h"

#include "lib/regions.h"

void tt_overhead_measure(struct tt_thread *t)
{
	struct tt_value before[TT_MAX_EVENTS], after[TT_MAX_EVENTS];
	uint64_t least[1 + TABLE_EVENTS];

	for (uint32_t i = 0; i <= t->n_events; i++)
		least[i] = UINT64_MAX;
	for (int k = 0; k < 200; k++) {
		uint64_t ticks = thread_read_ticks(t->steady);

		thread_complete(t, t->read(t->counters, before), before);
		thread_complete(t, t->read(t->counters, after), after);
		ticks = thread_read_ticks(t->steady) - ticks;
		least[0] = ticks < least[0] ? ticks : least[0];
		for (uint32_t i = 0; i < t->n_events; i++) {
			double n = tt_between(&before[i], &after[i]);

			if (n >= 0 && n < (double)least[i + 1])
				least[i + 1] = (uint64_t)n;
		}
	}
	tt_regions.header->overhead_ticks = least[0];
	for (uint32_t i = 0; i < t->n_events; i++)
		tt_regions.header->event[i].overhead =
			least[i + 1] == UINT64_MAX ? 0 : least[i + 1];
}
