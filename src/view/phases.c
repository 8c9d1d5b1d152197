/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "view/phases.h"

static void add(struct phases *p, const struct column *column, const struct phase_change *change,
		struct arena *arena)
{
	if (p->n == p->cap) {
		const struct phases_change *old = p->v;

		p->cap = p->cap ? 2 * p->cap : 16;
		p->v = arena_calloc(arena, p->cap, sizeof *p->v);
		for (size_t i = 0; i < p->n; i++)
			p->v[i] = old[i];
	}
	p->v[p->n++] = (struct phases_change){column, *change};
}

void phases_find(struct phases *p, const struct past_row *of, struct binding *binding, size_t i,
		 const struct host *host, uint32_t first, size_t n, struct arena *arena)
{
	struct value *v = arena_calloc(arena, n, sizeof *v);
	struct phase phase = {.n = 0};
	struct phase_change change;

	past_read(of, binding, i, (struct shown){.values = VALUES_INTERVAL}, host, first, n, v);
	for (size_t k = 0; k < n; k++)
		if (value_known(v[k]) &&
		    phase_add(&phase, v[k].number, first + (uint32_t)k, &change))
			add(p, &binding->screen->column[i], &change, arena);
}
