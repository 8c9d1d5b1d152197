/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * event_joins - the sets that rows of unequal events are folded into, remembered: the same two sets
 * are joined once, and whoever looks at the result finds the same set at each refresh.
 *
 * Ownership: it holds a reference to all of them.
 */
#ifndef MODEL_EVENT_JOINS_H
#define MODEL_EVENT_JOINS_H

#include <stddef.h>

#include "base/mem.h"
#include "model/sample_event.h"

struct event_joins;

struct event_joins *event_joins_new(void);
/* NULL is fine. */
void event_joins_free(struct event_joins *joins);
/* Forgets all where it remembers many; to be called while nobody uses what it gave. */
void event_joins_trim(struct event_joins *joins);
/* sample_events_join(a, b), valid until it is forgotten. */
const struct sample_events *event_joins_get(struct event_joins *joins,
					    const struct sample_events *a,
					    const struct sample_events *b);

/* What values of the set `from` are as values of the set `to`: those that it lacks are
 * QUALITY_NOT_COUNTED. */
struct value *event_values_move(const struct value *value, const struct sample_events *from,
				const struct sample_events *to, struct arena *arena);

#endif
