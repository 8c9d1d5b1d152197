/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "inject/preload/counts.h"

void counts_add(const struct thread *t, struct locks_quantity *counts, enum locks_phase phase,
		const struct moment *from, const struct moment *to)
{
	const uint32_t unknown = from->unknown | to->unknown;

	for (int i = 0; i < t->events->tt.n; i++)
		if (!(unknown >> i & 1))
			locks_quantity_add(&counts[i * LOCKS_PHASES + phase],
					   to->count[i] - from->count[i]);
}

/* A signal handler may have read the events again after `now`: counts that are older than the last
 * reading are skipped, as they were added already. */
void counts_add_state(struct thread *t, const struct moment *now)
{
	struct locks_thread *s = t->slot;
	struct moment *last = &t->last;
	const uint32_t unknown = last->unknown | now->unknown;

	for (int i = 0; i < t->events->tt.n; i++) {
		if (unknown >> i & 1)
			s->lacking[i] = 1;
		else if (now->count[i] <= last->count[i])
			continue;
		else
			s->count[i][s->state] += now->count[i] - last->count[i];
		last->count[i] = now->count[i];
	}
	last->unknown = now->unknown;
}
