/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * event_joins - a memory of joined sets of events: rows of unequal events are folded into the join
 * of their sets. The same two sets are joined once, so that whoever looks at the result finds the
 * same set at each refresh.
 *
 * Ownership: the memory holds a reference to all sets that it knows.
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
/* Forgets all sets, if there are many; to be called while nobody uses what it gave. */
void event_joins_trim(struct event_joins *joins);
/* Returns sample_events_join(a, b), which is valid until it is forgotten. */
const struct sample_events *event_joins_get(struct event_joins *joins,
					    const struct sample_events *a,
					    const struct sample_events *b);

/* Rearranges the values of the set `from` for the set `to`: an event that `from` lacks is
 * QUALITY_NOT_COUNTED. */
struct value *event_values_move(const struct value *value, const struct sample_events *from,
				const struct sample_events *to, struct arena *arena);

#endif
