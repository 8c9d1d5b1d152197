/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "model/event_joins.h"

#include <stdlib.h>

#define JOINS_MAX 256

struct join {
	struct sample_events *a, *b, *joined;
};

struct event_joins {
	struct join *v;
	size_t n, cap;
};

struct event_joins *event_joins_new(void)
{
	return xcalloc(1, sizeof(struct event_joins));
}

static void forget_all(struct event_joins *joins)
{
	for (size_t i = 0; i < joins->n; i++) {
		sample_events_unref(joins->v[i].a);
		sample_events_unref(joins->v[i].b);
		sample_events_unref(joins->v[i].joined);
	}
	joins->n = 0;
}

void event_joins_free(struct event_joins *joins)
{
	if (!joins)
		return;
	forget_all(joins);
	free(joins->v);
	free(joins);
}

void event_joins_trim(struct event_joins *joins)
{
	if (joins->n > JOINS_MAX)
		forget_all(joins);
}

const struct sample_events *event_joins_get(struct event_joins *joins,
					    const struct sample_events *a,
					    const struct sample_events *b)
{
	struct join *join;

	if (a == b || !b)
		return a;
	if (!a)
		return b;
	for (size_t i = joins->n; i-- > 0;)
		if (joins->v[i].a == a && joins->v[i].b == b)
			return joins->v[i].joined;
	joins->v = xgrow(joins->v, &joins->cap, joins->n + 1, sizeof *joins->v);
	join = &joins->v[joins->n++];
	join->a = sample_events_ref(a);
	join->b = sample_events_ref(b);
	join->joined = sample_events_join(a, b);
	return join->joined;
}

struct value *event_values_move(const struct value *value, const struct sample_events *from,
				const struct sample_events *to, struct arena *arena)
{
	struct value *moved = arena_calloc(arena, (size_t)sample_events_n(to), sizeof *moved);

	for (int i = 0; i < sample_events_n(to); i++) {
		int k = -1;

		if (from && !to->event[i].part_of)
			k = sample_events_find(from, 0, to, i);
		moved[i] = k < 0 ? value_none(QUALITY_NOT_COUNTED) : value[k];
	}
	return moved;
}
