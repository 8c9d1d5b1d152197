/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* part of calls: the event counts of a thread. */
#include "inject/preload/calls.h"

/* A signal handler may have read the events again after `now`: counts that are older than the last
 * reading are skipped, as they were added already. Counts are not unknown for all of the time
 * because measuring has stopped. */
void calls_add_counts(struct calls_state *own, const struct moment *now)
{
	const uint32_t unknown = own->last.unknown | now->unknown;
	uint64_t *counts = &own->counts[own->slot->function * (uint32_t)own->events->tt.n];

	if (unknown && process_has_stopped())
		return;
	for (int i = 0; i < own->events->tt.n; i++) {
		if (unknown >> i & 1)
			own->slot->lacking[i] = 1;
		else if (now->count[i] <= own->last.count[i])
			continue;
		else
			counts[i] += now->count[i] - own->last.count[i];
		own->last.count[i] = now->count[i];
	}
	own->last.unknown = now->unknown;
}
